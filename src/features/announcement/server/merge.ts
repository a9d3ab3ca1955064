import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on the record of a student or an adult in this feature. */
export const announcementMerges: readonly Merging[] = [
  { table: 'announcement_audience', words: text`Announcements for one child`, how: 'moves' },
  { table: 'announcement_recipient_child', words: text`Announcements received`, how: 'moves' },
  { table: 'announcement_recipient', words: text`Announcements received`, how: 'stays' },
  { table: 'announcement_delivery', words: text`Messages of announcements`, how: 'stays' },
  { table: 'announcement_receipt', words: text`Announcements that were read`, how: 'stays' },
];
