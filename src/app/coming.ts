import type { ProductPage } from './menu.ts';

/** Pages of the menu that are not built yet. A feature that adds one removes it from this list. */
export const comingPages: readonly ProductPage[] = [];
