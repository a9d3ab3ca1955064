import type { Examples } from '#testing/examples.ts';

export const examples: Examples = {
  rows: ({ sql }) => sql(`insert into set_up_skip (key, staff_id) select 'staff', min(id) from staff`),
};
