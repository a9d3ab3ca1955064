import pg from 'pg';
import { openFamily, openOwnSchool, type Postgres, type School } from '../school.ts';
import { type App, startApp } from './app.ts';
import { begin, type Outcome } from './outcome.ts';
import { compareFiles } from './verify.ts';

/** Repeats an act with families of a school that two server processes serve. */
async function withTwoServers(
  { scenario, runs, postgres }: { scenario: string; runs: number; postgres?: Postgres },
  act: (school: School, servers: readonly [App, App], outcome: Outcome) => Promise<void>,
): Promise<Outcome> {
  const outcome = begin(scenario);
  const school = await openOwnSchool({}, postgres);
  const servers = [await startApp(school), await startApp(school)] as const;
  try {
    for (; outcome.runs < runs; outcome.runs++) await act(school, servers, outcome);
    await compareFiles(school, outcome);
  } finally {
    for (const server of servers) await server.kill();
    await school.close();
  }
  return outcome;
}

/** One family's requests through both servers. */
async function familyOf(school: School, servers: readonly [App, App], known: Parameters<School['inquiry']>[0] = {}) {
  const { id, inquiryNo, link } = await school.inquiry(known);
  return servers.map(({ send }) => openFamily({ send, sql: school.sql }, { id, inquiryNo, value: link }));
}

/** Submits one form twenty times at once through two servers: one succeeds (K5). */
export const submitTogether = (runs: number, postgres?: Postgres): Promise<Outcome> =>
  withTwoServers({ scenario: 'twenty submits at once', runs, postgres }, async (school, servers, outcome) => {
    const [family, other] = await familyOf(school, servers);
    if (!family || !other) return;
    await family.fillAll();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, turn) => (turn % 2 ? family : other).submit()));
    const done = answers.filter(({ status }) => status === 200).length;
    const late = answers.filter(({ status, json }) => status === 409 && json.code === 'already_submitted').length;
    if (done !== 1 || late !== 19) outcome.breaches.push(`${done} were thanked and ${late} told it was submitted`);
    outcome.acknowledged += done;
    const [row] = await school.sql(`select
      (select count(*)::int from admission_submission where inquiry_id = ${family.id}) as copies,
      (select count(*)::int from outbox where subject_id = ${family.id} and template = 'admission.submitted') as messages`);
    if (row?.copies === 0) outcome.lost++;
    if (Number(row?.copies) > 1 || Number(row?.messages) > 2) outcome.doubled++;
  });

/** A submission against the removal of a required document: one of the two wins completely (K5). */
export const submitAgainstRemoval = (runs: number, postgres?: Postgres): Promise<Outcome> =>
  withTwoServers({ scenario: 'submit against removal', runs, postgres }, async (school, servers, outcome) => {
    const [family, other] = await familyOf(school, servers);
    if (!family || !other) return;
    await family.fillAll();
    const [document] = (await family.get('documents')).json.data.resultList;
    const [submitted, removed] = await Promise.all([
      family.submit(),
      other.remove(`documents/${document.studentAdmissionDocumentsID}`),
    ]);
    const [row] = await school.sql(`select
      (select count(*)::int from admission_document where inquiry_id = ${family.id}) as documents,
      (select submitted_at is not null from admission_inquiry where id = ${family.id}) as submitted`);
    const seen = JSON.stringify([submitted.status, removed.status, row?.submitted, row?.documents]);
    if (!['[200,409,true,2]', '[422,200,false,1]'].includes(seen)) outcome.breaches.push(`half done: ${seen}`);
    outcome.acknowledged++;
  });

/** The longest wait for a message to be sent (J16), in milliseconds. */
const sendingWithin = 3000;

/**
 * Mail and SMS are down: a sender hangs and holds every waiting message. Saves, the submission and the request for a
 * new link work, and their messages are queued (J16).
 */
export const senderHangs = (runs: number, postgres?: Postgres): Promise<Outcome> =>
  withTwoServers({ scenario: 'sender hangs', runs, postgres }, async (school, servers, outcome) => {
    const contact = '98250'.concat(String(10_000 + outcome.runs));
    const parents = {
      fatherMobile: contact,
      fatherEmail: 'father@family.example',
      motherEmail: 'mother@family.example',
    };
    const [family, other] = await familyOf(school, servers, parents);
    if (!family || !other) return;
    await family.fillAll();
    await school.sql(`insert into outbox (channel, template, recipient, subject_id)
      select 'email', 'admission.link', 'somebody@family.example', ${family.id} from generate_series(1, 20)`);
    const sender = new pg.Client({ connectionString: school.config.databaseUrl });
    await sender.connect();
    await sender.query('begin; select id from outbox for update');
    await sender.query(`update outbox set status = 'sent', sent_at = now()`);
    try {
      const newLink = { method: 'POST' as const, url: '/api/admission/new-link', body: { contact } };
      // The new link comes last, since it ends the family's current one.
      const acts = [() => family.saveBasicInfo(), () => other.submit(), () => servers[1].send(newLink)];
      for (const act of acts) {
        const started = performance.now();
        const { status, text } = await act();
        const took = performance.now() - started;
        if (status === 200) outcome.acknowledged++;
        else outcome.breaches.push(`while the sender hung: ${status} ${text.slice(0, 100)}`);
        if (took > sendingWithin) outcome.late.push(`an answer waited ${Math.round(took)} ms`);
        outcome.worstFirstAnswer = Math.max(outcome.worstFirstAnswer, took);
      }
    } finally {
      await sender.query('rollback');
      await sender.end();
    }
    const [row] = await school.sql(`select count(*) filter (where template = 'admission.submitted')::int as submitted,
      count(*) filter (where channel = 'sms')::int as links from outbox where subject_id = ${family.id} and status = 'queued'`);
    if (row?.submitted !== 2 || row?.links !== 1) outcome.lost++;
  });
