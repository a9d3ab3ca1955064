import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { inject, type ProvidedContext } from 'vitest';
import {
  additionalInfoAnswers,
  basicInfoAnswers,
  familyFacts,
  healthAnswers,
  languageAnswers,
  parentInfoAnswers,
} from '#database/seed/answers.ts';
import { childPicture, paperPicture } from '#database/seed/pictures.ts';
import { createInquiry, type NewInquiry } from '#features/admission-form/api.ts';
import type { Config } from '#kit/server/config.ts';
import { type Context, contextOutside, type Services } from '#kit/server/context.ts';
import { type Browser, type NewPerson, openBrowser, openPerson, type Person } from './browser.ts';
import { codesMade } from './codes.ts';
import type { Answer, Sent } from './exchange.ts';
import { lent } from './lent.ts';
import type { Papers } from './papers.ts';
import { newDatabaseName, schoolDays } from './postgres.ts';
import { buildPremises, buildSharedPremises, type Premises, type SharedPremises } from './premises.ts';

/** A school for one test file: a database with a school's lists, an empty file store, and a server. */
export interface School {
  app: FastifyInstance;
  services: Services;
  config: Config;
  /** All log lines so far. */
  log: () => string;
  /** All bodies and headers of answers so far. */
  answers: () => string;
  /** The server's clock; tests may change it. */
  clock: { now: Date | undefined };
  papers: Papers;
  inquiry: (values?: Partial<NewInquiry>) => Promise<Family>;
  context: () => Context;
  /** A browser without a session. */
  browser: () => Browser;
  /** A signed-in user. */
  person: (values?: NewPerson) => Promise<Person>;
  /** Runs one statement as the owner of the database; one with a name is planned once. */
  sql: (statement: string, name?: string) => Promise<Record<string, unknown>[]>;
  send: (request: Sent) => Promise<Answer>;
  close: () => Promise<void>;
}

export const familyInquiry: Partial<NewInquiry> = familyFacts;

/** The office has the consent of most families, so that their form opens without the notice. */
const paperConsent = { name: 'Nikhil Patel', relation: 'Father' } as const;

/** The server for new databases, and the template they are copies of. */
export type Postgres = ProvidedContext['postgres'];

/** The worker's schools that no file uses now: one, unless a file has opened several at once. */
const free: SharedPremises[] = [];

/** The school of this worker, as new: what a file changes in it is put back when the file closes it. */
export async function openSchool(): Promise<School> {
  const postgres = inject('postgres');
  const premises = free.pop() ?? (await buildSharedPremises(postgres, newDatabaseName(postgres.template)));
  return openIn(premises, async () => {
    const left = await premises.putBack();
    if (left.length === 0) {
      free.push(premises);
      return;
    }
    await premises.remove();
    const more = left.length > 5 ? `; and ${left.length - 5} more` : '';
    throw new Error(`This file leaves in the school of its worker what is not put back: ${left.slice(0, 5).join('; ')}${more}.
Undo it in the test, or give the file a school of its own with openOwnSchool.`);
  });
}

/** A school for one file alone: with other settings, another PostgreSQL, or changes that are not put back. */
export async function openOwnSchool(
  settings: Record<string, string> = {},
  postgres: Postgres = inject('postgres'),
): Promise<School> {
  const premises = await buildPremises(postgres, newDatabaseName(inject('postgres').template), settings);
  return openIn(premises, premises.remove);
}

function openIn({ app, services, config, clock, papers, heard }: Premises, leave: () => Promise<void>): School {
  const owner = new pg.Pool({ connectionString: config.databaseOwnerUrl, max: 4, options: schoolDays });
  // A test may kill the database; the pool reconnects.
  owner.on('error', () => undefined);

  const send: School['send'] = async ({ method = 'GET', url: address, body, headers = {} }) => {
    const { payload, type } = await payloadOf(body);
    const response = await app.inject({
      method,
      url: address,
      headers: { ...(type && { 'content-type': type }), ...headers },
      ...(payload && { payload }),
    });
    // The outbox page of development stands for a mailbox.
    if (address !== '/dev/outbox') heard.answers += `${JSON.stringify(response.headers)}\n${response.body}\n`;
    return {
      status: response.statusCode,
      headers: response.headers as Answer['headers'],
      text: response.body,
      bytes: response.rawPayload,
      json: jsonOf(response.body),
    };
  };

  const context = () => contextOutside(services, 'test');

  const school: School = {
    app,
    services,
    config,
    log: () => heard.log,
    answers: () => heard.answers,
    clock,
    papers,
    context,
    send,
    browser: () => openBrowser(school),
    person: (values) => openPerson(school, values),
    sql: async (text, name) => (await owner.query({ text, name })).rows,
    inquiry: async (values = familyInquiry) => {
      const { rows } = await owner.query<{ id: number }>('select min(id) as id from academic_branch');
      const place = { academicYearId: 1, branchId: rows[0]?.id ?? 0, boardId: 1, programId: 1, gradeId: 4 };
      const made = await services.db
        .transaction()
        .execute((db) => createInquiry({ ...context(), db }, 'Test', { ...place, consent: paperConsent, ...values }));
      return openFamily(school, made);
    },
    close: async () => {
      // Closed already, by the test or at the end of its file.
      if (!lent.delete(school.close)) return;
      const codes = await codesMade(services);
      const told = codes.filter((code) => new RegExp(`\\b${code}\\b`).test(heard.answers + heard.log));
      const unworded = await unwordedActs(services);
      const unlisted = await unlistedTexts(services);
      await owner.end();
      await leave();
      // Checked for every school that a test has opened: no answer, header or log line contains a one-time code (A1).
      if (told.length > 0) throw new Error(`${told.length} one-time codes were told in an answer or in the log.`);
      // Every act and kind of record in the audit log has words.
      if (unworded.length > 0)
        throw new Error(`No words for ${unworded.join(', ')}. Add them to auditWords of their feature’s manifest.`);
      // Every kind of text message is on the page where its template is registered.
      if (unlisted.length > 0)
        throw new Error(`${unlisted.join(', ')} went by SMS. Add it to textMessages of its feature’s manifest.`);
    },
  };
  lent.add(school.close);
  return school;
}

/** Actions and entities of audit rows that no feature's `auditWords` name; `test…`, used by tests, needs none. */
async function unwordedActs({ db, auditWords: { actions, records } }: Services): Promise<string[]> {
  // A reading of the log names the kind of record that its reader entered.
  const rows = await db
    .selectFrom('audit')
    .where('action', 'not in', ['audit.read', 'audit.exported'])
    .select(['action', 'entity'])
    .distinct()
    .execute();
  const codes = rows.flatMap(({ action, entity }) => [
    ...(action in actions ? [] : [action]),
    ...(entity in records ? [] : [entity]),
  ]);
  return [...new Set(codes)].filter((code) => !code.startsWith('test'));
}

/** The kinds of queued text messages that no feature's `textMessages` name. */
async function unlistedTexts({ db, textMessages }: Services): Promise<string[]> {
  const rows = await db.selectFrom('outbox').where('channel', '=', 'sms').select('template').distinct().execute();
  return rows.map(({ template }) => template).filter((template) => !(template in textMessages));
}

/** A family with the link of one inquiry. */
export interface Family {
  id: number;
  inquiryNo: string;
  link: string;
  /** An operation of the form, by the end of its path. */
  get: (path: string) => Promise<Answer>;
  post: (path: string, body: FormData | object, headers?: Record<string, string>) => Promise<Answer>;
  remove: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  /** Typed answers of a page that are not saved. */
  draft: (page: string, answers: Values, overrides?: Values) => Promise<Answer>;
  /** Saves a page with complete answers, some of them replaced by the test's. */
  saveBasicInfo: (over?: Values, files?: Files) => Promise<Answer>;
  saveParentInfo: (over?: Values, files?: Files) => Promise<Answer>;
  saveHealth: (over?: Values, files?: Files) => Promise<Answer>;
  saveAdditionalInfo: (over?: Values) => Promise<Answer>;
  submit: (over?: Values) => Promise<Answer>;
  /** The switch at the top of a page. */
  chooseLanguage: (language: unknown) => Promise<Answer>;
  upload: (documentName: string, over?: Values, file?: File | null) => Promise<Answer>;
  /** Saves pages 1 to 4 and both documents. */
  fillAll: () => Promise<void>;
}

type Values = Record<string, unknown>;
type Files = Record<string, File | null>;

/** A family whose requests go through `send`. */
export function openFamily(
  school: Pick<School, 'send' | 'sql'>,
  { id, inquiryNo, value }: { id: number; inquiryNo: string; value: string },
): Family {
  const at = (path: string) => `/api/admission/${path}${path.includes('?') ? '&' : '?'}inquiryNo=${value}`;
  const family: Family = {
    id,
    inquiryNo,
    link: value,
    get: (path) => school.send({ url: at(path) }),
    post: (path, body, headers) => school.send({ method: 'POST', url: at(path), body, headers }),
    remove: (path, headers) => school.send({ method: 'DELETE', url: at(path), headers }),
    draft: (page, answers, overrides = {}) =>
      school.send({
        method: 'PUT',
        url: at(`draft/${page}`),
        body: { number: 1, basedOn: 0, visit: '0123456789abcdef', answers, ...overrides },
      }),
    saveBasicInfo: async (over = {}, files) =>
      family.post(
        'basic-info',
        form({ ...basicInfoAnswers, ...over }, files ?? { admissionStudentImageIFormFile: await photo() }),
      ),
    saveParentInfo: async (over = {}, files) => {
      const [work] = await school.sql(`select id, sector_id from academic_career where name = 'Textiles'`);
      const answers = parentInfoAnswers(Number(work?.sector_id), Number(work?.id));
      return family.post(
        'parent-info',
        form({ ...answers, ...over }, files ?? { FamilyImageIFormFile: await photo() }),
      );
    },
    saveHealth: (over = {}, files = {}) => family.post('health', form({ ...healthAnswers, ...over }, files)),
    saveAdditionalInfo: (over = {}) => family.post('additional-info', { ...additionalInfoAnswers, ...over }),
    submit: (over = {}) => family.post('language', { ...languageAnswers, ...over }),
    chooseLanguage: (language) => school.send({ method: 'PUT', url: at('language'), body: { language } }),
    upload: async (documentName, over = {}, file) =>
      family.post(
        'documents',
        form({ documentName, ...over }, { DocumentIFormFile: file === undefined ? await paper(documentName) : file }),
      ),
    fillAll: async () => {
      for (const save of [family.saveBasicInfo, family.saveParentInfo, family.saveHealth, family.saveAdditionalInfo]) {
        expectSaved(await save());
      }
      for (const name of ['Birth Certificate', 'Aadhar Card']) expectSaved(await family.upload(name));
    },
  };
  return family;
}

function expectSaved({ status, text }: Answer) {
  if (status !== 200) throw new Error(`A page was refused: ${text}`);
}

let drawnPhoto: Promise<Buffer> | undefined;
const drawnPapers = new Map<string, Promise<Buffer>>();

/** A picture of a child, as a phone sends it. */
export async function photo(name = 'child.jpg'): Promise<File> {
  drawnPhoto ??= childPicture();
  return fileOf(name, await drawnPhoto);
}

export async function paper(title: string): Promise<File> {
  const drawn = drawnPapers.get(title) ?? paperPicture(title);
  drawnPapers.set(title, drawn);
  return fileOf('paper.jpg', await drawn);
}

export const fileOf = (name: string, bytes: Buffer | string): File =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name);

/** Fields and files as a browser sends them; null omits a file, undefined a field. */
export function form(fields: Values, files: Files = {}): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) data.append(name, value === null ? '' : String(value));
  }
  for (const [name, file] of Object.entries(files)) if (file) data.append(name, file);
  return data;
}

export async function payloadOf(body: Sent['body']): Promise<{ payload?: Buffer; type?: string }> {
  if (body === undefined) return {};
  if (Buffer.isBuffer(body)) return { payload: body };
  if (typeof body === 'string') return { payload: Buffer.from(body), type: 'application/json' };
  if (!(body instanceof FormData)) return { payload: Buffer.from(JSON.stringify(body)), type: 'application/json' };
  const request = new Request('http://localhost', { method: 'POST', body });
  return { payload: Buffer.from(await request.arrayBuffer()), type: request.headers.get('content-type') ?? '' };
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Files and pages are not JSON.
  }
}
