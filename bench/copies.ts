import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { linkValue, shortCode } from '#features/admission-form/server/link-value.ts';
import type { Services } from '#kit/server/context.ts';
import { linkHash } from '#kit/server/security/link-value.ts';
import { open, seal } from '#kit/server/security/sealed.ts';

interface Wanted {
  /** The filled-in inquiry that all others are copies of. */
  id: number;
  copies: number;
  /** This many of the last copies also get the bytes of their files, so that the files can be replaced. */
  uploaders: number;
}

type Row = Record<string, unknown>;

/** Columns sealed to their row. A new sealed column must be added here, or its copies cannot be opened. */
const sealedColumns = ['admission_basic_info.aadhaar', 'admission_health.answers'];

/** Columns of other bytes, which are the same in every copy. */
const plainBytes = ['admission_basic_info.aadhaar_hash'];

/** Copies an inquiry with its related rows this many times; returns the values of the new links. */
export async function copyInquiry(ownerUrl: string, services: Services, { id, copies, uploaders }: Wanted) {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const [inquiry] = await readRows(client, 'admission_inquiry', `id = ${id}`);
    if (!inquiry) throw new Error('There is no inquiry to copy.');
    const tables = await ownedTables(client);
    const templates = new Map<string, Row[]>();
    for (const table of tables) templates.set(table, await readRows(client, table, `inquiry_id = ${id}`));
    const files = await readRows(client, 'file', `owner = 'admission_inquiry' and owner_id = ${id}`);
    const bytes = await Promise.all(files.map((file) => services.files.get(String(file.id))));
    const links: string[] = [];

    const batch = 500;
    for (let done = 0; done < copies; done += batch) {
      const numbers = Array.from({ length: Math.min(batch, copies - done) }, (_, index) => done + index + 1);
      const named = numbers.map((number) => nameOf(services, number));
      const ids = await insertRows(
        client,
        'admission_inquiry',
        named.map(({ row }) => ({ ...inquiry, ...row })),
      );
      links.push(...named.map(({ link }) => link));

      const rows = new Map<string, Row[]>([['file', []], ...tables.map((table) => [table, []] as [string, Row[]])]);
      for (const [index, ownId] of ids.entries()) {
        const fileIds = new Map(files.map((file) => [file.id, randomUUID() as string]));
        rows.get('file')?.push(...files.map((file) => ({ ...file, id: fileIds.get(file.id), owner_id: ownId })));
        if (done + index >= copies - uploaders) {
          for (const [at, file] of files.entries()) {
            await services.files.put(fileIds.get(file.id) ?? '', bytes[at] ?? Buffer.alloc(0));
          }
        }
        for (const [table, own] of templates) {
          rows.get(table)?.push(...own.map((row) => copyOf(services, table, row, { from: id, to: ownId, fileIds })));
        }
      }
      for (const [table, own] of rows) await insertRows(client, table, own);
    }
    await client.query('analyze');
    return links;
  } finally {
    await client.end();
  }
}

function nameOf({ keys }: Services, number: number) {
  const inquiryNo = `INQ/BENCH/${String(number).padStart(5, '0')}`;
  const linkOf = { inquiryNo, version: 1, keyId: keys.link.current.id };
  const link = linkValue(keys, linkOf);
  const short = hex(linkHash(shortCode(keys, linkOf)));
  return { link, row: { inquiry_no: inquiryNo, link_version: 1, link_hash: hex(linkHash(link)), short_hash: short } };
}

/** Bytes in PostgreSQL's JSON form. */
const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

function copyOf(
  { keys }: Services,
  table: string,
  row: Row,
  { from, to, fileIds }: { from: number; to: number; fileIds: Map<unknown, string> },
): Row {
  const copy: Row = { ...row, inquiry_id: to };
  for (const [column, value] of Object.entries(row)) {
    const place = `${table}.${column}`;
    if (fileIds.has(value)) copy[column] = fileIds.get(value);
    if (typeof value !== 'string' || !value.startsWith('\\x') || plainBytes.includes(place)) continue;
    if (!sealedColumns.includes(place)) throw new Error(`bench/copies.ts does not know how ${place} is sealed.`);
    const plain = open(keys.data, `${place}:${from}`, Buffer.from(value.slice(2), 'hex'));
    copy[column] = hex(seal(keys.data, `${place}:${to}`, plain));
  }
  return copy;
}

/** Every table whose rows belong to an inquiry. */
async function ownedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'inquiry_id'`,
  );
  return rows.map(({ name }) => name);
}

async function readRows(client: pg.Client, table: string, where: string): Promise<Row[]> {
  const { rows } = await client.query<{ row: Row }>(`select to_jsonb(t) as row from ${table} t where ${where}`);
  return rows.map(({ row }) => row);
}

/** Inserts rows; generated numbers are left to the database. Returns the ids of the new rows, if they have any. */
async function insertRows(client: pg.Client, table: string, rows: Row[]): Promise<number[]> {
  if (rows.length === 0) return [];
  const { rows: known } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_identity = 'NO' and is_generated = 'NEVER'`,
    [table],
  );
  const columns = known.map(({ name }) => name).join(', ');
  const returning = table === 'admission_inquiry' ? 'returning id' : '';
  const made = await client.query<{ id: number }>(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb) ${returning}`,
    [JSON.stringify(rows)],
  );
  return made.rows.map(({ id }) => id);
}
