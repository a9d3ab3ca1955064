import type { Examples, Stage } from '#testing/examples.ts';

const addYear = async ({ school }: Stage, start: number, status = 'Open') => {
  const [row] = await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on, status, closed_at)
    values ('${start}-${start + 1}', '${start}-06-01', '${start + 1}-05-31', '${start}-06-01', '${status}',
      ${status === 'Closed' ? 'now()' : 'null'}) returning id`);
  return Number(row?.id);
};

export const examples: Examples = {
  reported: {
    'POST /year-end/:id/close': async (stage) => {
      const url = `/api/year-end/${await addYear(stage, 1981)}/close`;
      const close = (body: object) => stage.admin.send({ method: 'POST', url, body });
      const { json } = await close({ seen: [] });
      const seen = json.kept.map(({ key }: { key: string }) => key);
      const { json: preview } = await close({ seen });
      return () => close({ seen, confirmToken: preview.confirmToken });
    },
    'POST /year-end/:id/reopen': async (stage) => {
      const url = `/api/year-end/${await addYear(stage, 2391, 'Closed')}/reopen`;
      return () => stage.admin.send({ method: 'POST', url, body: { reason: 'A register is missing' } });
    },
  },
};
