import { options } from './text.ts';

/** Colours that are distinguishable and readable, in light and dark; each is shown beside its name. */
export const colours = options('Teal', 'Blue', 'Indigo', 'Purple', 'Pink', 'Red', 'Orange', 'Amber', 'Green', 'Grey');
export type Colour = (typeof colours)[number];
