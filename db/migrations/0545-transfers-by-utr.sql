-- Payments and deposits about one transfer, and pictures that were sent twice: a payment's page leads from each to the others.
create index workflow_by_utr on workflow ((data ->> 'utr')) where kind in ('PAYMENT', 'DEPOSIT') and data ? 'utr';
create index workflow_by_picture on workflow ((data ->> 'imageRef')) where kind = 'DEPOSIT';
create index stored_image_by_hash on stored_image (hash);
