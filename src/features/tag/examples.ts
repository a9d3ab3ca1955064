import type { Examples } from '#testing/examples.ts';
import { tagApi } from './contract/tag.ts';

export const examples: Examples = {
  rows: async ({ sql }, admin) => {
    const [merged, into] = await sql(`select id, version from configuration_tag where name in ('Music', 'Sports')
      order by name`);
    const { id, version } = merged as { id: number; version: number };
    await admin.call(tagApi.merge, { id, version, intoId: Number(into?.id) });
  },
};
