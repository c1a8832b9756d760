/** The two sides of a bet. Inside the engine a side is its number: 0 back, 1 lay. */
export type Side = 'BACK' | 'LAY';
/** As named in a bet: on fancies a back is a YES, a lay a NO. */
type AskedSide = Side | 'YES' | 'NO';

export const BACK = 0;
export const LAY = 1;
export type SideCode = typeof BACK | typeof LAY;

export const sideCode = (side: AskedSide): SideCode => (side === 'BACK' || side === 'YES' ? BACK : LAY);
export const sideName = (code: number): Side => (code === BACK ? 'BACK' : 'LAY');
