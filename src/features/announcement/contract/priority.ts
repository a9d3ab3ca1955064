import { options } from '#kit/contract/text.ts';

export const priorities = options('Normal', 'Important', 'Emergency');
export type Priority = (typeof priorities)[number];

/** The category, where the priority does not say it already: an emergency is of the category Emergency too. */
export const categoryBeside = ({ category, priority }: { category: string; priority: Priority }) =>
  category === priority ? '' : category;
