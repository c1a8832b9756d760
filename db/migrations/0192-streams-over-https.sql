-- Streams come over https, or over http from the machine itself. Addresses from before this rule are taken out.
update fixture set stream_url = null
where stream_url !~* '^https://' and stream_url !~* '^http://(([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?([/?#]|$)';
update brand set setting = setting - 'streamUrl', version = version + 1
where setting->>'streamUrl' ~* '^http://'
  and setting->>'streamUrl' !~* '^http://(([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?([/?#]|$)';
