// A process of a test, in a packed folder: has each work program of that folder open or make one thing.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (path: string) => import(pathToFileURL(join(process.cwd(), path)).href);
const caller = { owner: 'test' };
const say = (words: string) => process.stdout.write(`${words}\n`);

const [{ makePaper, sheet }, { sheetFile }, { parseTable }, { inspect }, { readPortraits }, { childPicture }] =
  await Promise.all(
    [
      'src/kit/server/paper/paper.ts',
      'src/kit/server/list/table-file.ts',
      'src/kit/server/import/parse-table.ts',
      'src/kit/server/files/inspect.ts',
      'src/kit/server/paper/portraits.ts',
      'database/seed/pictures.ts',
    ].map(load),
  );

const plain = (message: string) => ({ id: message, message });
const paper: Buffer = await makePaper(
  sheet,
  {
    head: { name: 'Test School', lines: [], principal: '' },
    title: plain('A list'),
    facts: [],
    table: { heads: [plain('Name')], rows: [['કાવ્યા']] },
    made: plain('Printed today'),
    signatures: [],
  },
  caller,
);
say(`paper ${paper.subarray(0, 5)}`);

const { bytes: book } = await sheetFile({ caller }, { name: 'list', heads: ['Name'], rows: [['Kavya']] }, 'xlsx');
say(`workbook ${book.subarray(0, 2)}`);

const known = { columns: { name: { label: plain('Name') } }, needed: ['name'] };
const table = await parseTable('Name\nKavya\n', { known }, caller);
say(`table ${JSON.stringify(table.rows)}`);

const picture: Buffer = await childPicture();
const rule = {
  label: plain('A'),
  kinds: ['jpeg', 'pdf'],
  maxBytes: 5_000_000,
  tooLarge: plain('large'),
  wrongType: plain('type'),
};
const upload = (name: string, bytes: Buffer) => ({
  file: { name, size: bytes.length, head: bytes.subarray(0, 4100), read: async () => bytes },
  caller,
});
say(`picture ${(await inspect('file', rule, upload('a.jpg', picture))).mediaType}`);
say(`pdf ${(await inspect('file', rule, upload('a.pdf', paper))).mediaType}`);

const portraits = await readPortraits({ files: { get: async () => picture }, caller }, ['one']);
say(`portrait ${portraits.size}`);
process.exit(0);
