import type { Examples, Stage } from '#testing/examples.ts';
import { receive } from '#testing/payments.ts';

/** A line of a statement, and a payment that it does not show. */
async function plantLines({ school, pupil }: Stage) {
  await pupil();
  const { sql } = school;
  if ((await sql('select id from bank_line limit 1')).length > 0) return;
  await sql(`insert into fee_account (student_id) select id from student on conflict do nothing;
    insert into fee_receipt_series (name, short_name) select 'Main', 'MAIN' where not exists (select from fee_receipt_series);
    insert into fee_bank_account (name, bank, last4, receipt_series_id)
      select 'Fees', 'A bank', '1234', min(id) from fee_receipt_series
      where not exists (select from fee_bank_account);
    insert into bank_line (bank_account_id, day, narration, tokens, credit, debit, nth, file_from, file_to)
      select min(id), '2026-06-01', 'UPI of a parent', '{}', 100, 0, 1, '2026-05-01', '2026-06-30' from fee_bank_account`);
  const [to] = await sql(`select max(id) as account, (select receipt_series_id from fee_bank_account limit 1) as series
    from fee_account where student_id is not null`);
  await receive(school, {
    account: Number(to?.account),
    series: Number(to?.series),
    day: '2026-06-01',
    on: [{ due: null, amount: 100 }],
  });
}

const byPrincipal = (url: string) => async (stage: Stage) => {
  await plantLines(stage);
  return { url, by: stage.principal };
};

export const examples: Examples = {
  exports: {
    'GET /bank/line/export': byPrincipal('/bank/line/export?as=csv&tab=all'),
    'GET /bank/tally/file': async (stage) => {
      await plantLines(stage);
      const [series] = await stage.school.sql('select min(receipt_series_id) as id from fee_bank_account');
      await stage.school.sql(`insert into bank_ledger_name (key, name, set_by)
        select key, 'Fees', (select min(id) from staff) from (select unnest(array['mode:Cash', 'mode:UPI', 'mode:Cheque', 'refund:Cheque', 'advance', 'unplaced',
            'fine', 'bounce', 'opening', 'other', 'cgst', 'sgst', 'transfer']) as key union select 'head:' || id from fee_head
            union select 'bank:' || id from fee_bank_account) as own
        on conflict do nothing`);
      const accountant = await stage.school.person({ name: 'Asha', role: 'Staff', sets: ['accountant'] });
      return { url: `/bank/tally/file?seriesId=${Number(series?.id)}&from=2026-06-01&to=2026-06-01`, by: accountant };
    },
    'GET /bank/unseen/export': byPrincipal('/bank/unseen/export?as=csv&tab=all'),
  },
  rows: async ({ sql }) => {
    await sql(`insert into bank_deposit (bank_account_id, day, slip_no, amount, made_by)
        select min(id), '2026-06-01', '17', 100, (select min(id) from staff) from fee_bank_account
        where not exists (select from bank_deposit) having min(id) is not null;
      insert into bank_deposit_cheque select (select min(id) from bank_deposit), min(id) from fee_cheque on conflict do nothing;
      insert into bank_line (bank_account_id, day, narration, tokens, credit, debit, nth, file_from, file_to)
        select min(id), '2026-06-01', 'UPI', '{}', 100, 0, 1, '2026-06-01', '2026-06-01' from fee_bank_account
        having min(id) is not null on conflict do nothing;
      insert into bank_ledger_name (key, name, set_by) select 'mode:Cash', 'Cash', min(id) from staff on conflict do nothing;
      insert into bank_day_tick (day, mode, amount, ticked_by) select '2026-06-01', 'UPI', 100, min(id) from staff
        on conflict do nothing`);
  },
};
