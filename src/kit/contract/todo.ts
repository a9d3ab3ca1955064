/** The drawings of what there is to do. */
export const todoIcons = [
  'call',
  'form',
  'document',
  'register',
  'decision',
  'ticket',
  'eye',
  'book',
  'money',
  'bus',
  'day',
  'message',
] as const;
export type TodoIcon = (typeof todoIcons)[number];
