import type { Examples } from '#testing/examples.ts';

export const examples: Examples = {
  rows: async ({ sql }) => {
    await sql(`insert into alert (name, text, began_at, told_at, gone_at, ended_at) values
      ('backup-old', '{"id": "The last backup is old."}', now() - interval '2 days', now() - interval '2 days',
        now() - interval '1 day', now() - interval '1 day')`);
  },
};
