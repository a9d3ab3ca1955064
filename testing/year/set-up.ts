import { openingApi, openingImportApi } from '#features/fee-money/contract/opening.ts';
import { studentImportApi } from '#features/student/contract/import.ts';
import { approve } from '../approving.ts';
import { planSeats } from './admission.ts';
import { setUpPrices } from './prices.ts';
import type { YearSchool } from './school.ts';

const heads = [
  ...['GR number', 'First name', 'Last name', 'Gender', 'Date of birth', 'Admitted on', 'Grade', 'Section'],
  ...['Father’s name', 'Father’s email', 'Mother’s name', 'Mother’s email', 'Whom to call', 'Barred', 'Restriction'],
];

/** A child for each section of the year; the father of one in four is barred by a court. */
async function fileOf({ school, sections }: YearSchool, series: string): Promise<string> {
  const rows = await school.sql(`select grade.name as grade, section.name as section from academic_section section
    join academic_grade grade on grade.id = grade_id
    where section.id in (${sections.flatMap(({ id, isOfNext }) => (isOfNext ? [] : [id])).join(', ')}) order by section.id`);
  const lines = rows.map(({ grade, section }, at) => {
    const isBarred = at % 4 === 3;
    const child = [
      `${series}-${at}`,
      `Imported${series}${at}`,
      'Desai',
      'F',
      '04/03/2017',
      '01/04/2044',
      grade,
      section,
    ];
    const adults = [
      `Ketan${at} Desai`,
      `ketan${series}${at}@family.example`,
      `Ila${at} Desai`,
      `ila${series}${at}@family.example`,
    ];
    return [...child, ...adults, 'Mother', ...(isBarred ? ['Father', 'By order of the court'] : ['', ''])].join(',');
  });
  return [heads.join(','), ...lines].join('\r\n');
}

async function finished({ school }: YearSchool, run: number | null | undefined) {
  const isOpen = async () =>
    (await school.sql(`select from run where id = ${Number(run)} and finished_at is null`)).length > 0;
  while (await isOpen()) await new Promise((done) => setTimeout(done, 200));
}

/** The office imports the children who join the school; a second file was the wrong one, and is undone. */
async function importChildren(world: YearSchool): Promise<void> {
  const { office } = world.people;
  for (const series of ['I', 'W']) {
    const file = await fileOf(world, series);
    const { confirmToken, counts } = await office.call(studentImportApi.import, { file });
    if (!confirmToken || counts.wrong > 0)
      throw new Error(`The file of children was refused: ${JSON.stringify(counts)}`);
    const { runId } = await office.call(studentImportApi.import, { file, confirmToken });
    await finished(world, runId);
  }
  const [wrong] = await office.call(studentImportApi.imports, {});
  const undo = { importId: wrong?.id ?? 0 };
  const preview = await office.call(studentImportApi.importUndo, undo);
  const { undoRun } = await office.call(studentImportApi.importUndo, {
    ...undo,
    confirmToken: preview.confirmToken ?? '',
  });
  await finished(world, undoRun);
  const [left] = await world.school.sql(`select count(*) filter (where gr_no like 'I-%')::integer as kept,
    count(*) filter (where gr_no like 'W-%')::integer as undone from student`);
  if (Number(left?.undone) !== 0 || Number(left?.kept) === 0)
    throw new Error(`Of the files ${JSON.stringify(left)} are left.`);
}

/** The accountant imports what families owe from before; one has paid too much, which the principal approves. */
async function importBalances({ school, people }: YearSchool): Promise<void> {
  const { accountant, principal } = people;
  const file = [
    'GR number,Academic year,Fee head,Amount (₹)',
    'I-0,2044-2045,Tuition,4500',
    'I-1,2044-2045,Tuition,-1200',
  ];
  const [first, second] = [file.slice(0, 2).join('\r\n'), [file[0], file[2]].join('\r\n')];
  for (const one of [first, second]) {
    const { confirmToken, counts } = await accountant.call(openingImportApi.import, { file: one });
    if (!confirmToken) throw new Error(`The file of balances was refused: ${JSON.stringify(counts)}`);
    await accountant.call(openingImportApi.import, { file: one, confirmToken });
  }
  const [waiting] = (await accountant.call(openingApi.list, {})).rows;
  if (waiting?.waits) await approve(school, principal);
}

/** What a school does before its first day. */
export async function setUp(world: YearSchool): Promise<void> {
  await planSeats(world);
  await setUpPrices(world);
  await importChildren(world);
  await importBalances(world);
}
