/** The two sides of a bet. Inside the engine a side is its number: 0 back, 1 lay. */
export type Side = 'BACK' | 'LAY';

export const BACK = 0;
export const LAY = 1;
export type SideCode = typeof BACK | typeof LAY;

export const sideCode = (side: Side): SideCode => (side === 'BACK' ? BACK : LAY);
export const sideName = (code: number): Side => (code === BACK ? 'BACK' : 'LAY');
