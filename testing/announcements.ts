import { announcementApi } from '#features/announcement/contract/announcement.ts';
import type { AudienceKind } from '#features/announcement/contract/words.ts';
import { extendLinks } from '#features/family/api.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import type { Browser } from './browser.ts';
import type { School } from './school.ts';
import { raise } from './seated.ts';

type Given = InputOf<typeof announcementApi.create>;

/** A row of the people of an announcement. */
export const people = (kind: AudienceKind, id: number | null = null, isExcluded = false) => ({
  kind,
  id,
  isExcluded,
  hasTeachers: !isExcluded,
});

/** Writes a draft; returns its id and version. */
export async function write(school: School, author: Browser, audience: Given['audience'], over: Partial<Given> = {}) {
  const [category] = await school.sql(
    `select id from academic_lookup where kind = 'Notice category' and name = 'General'`,
  );
  const draft: Given = {
    title: 'School is closed on Monday',
    body: [{ kind: 'paragraph', level: 0, runs: [{ text: 'Classes begin again on Tuesday.' }] }],
    categoryId: Number(category?.id),
    priority: 'Normal',
    branchId: null,
    publishOn: '',
    publishTime: '',
    expiresOn: '',
    expiresTime: '',
    isPinned: false,
    asks: 'Nothing',
    acknowledgeBy: '',
    sendsEmail: true,
    sendsSms: false,
    isPageOnly: over.sendsEmail === false && over.sendsSms !== true,
    audience,
    ...over,
  };
  return author.call(announcementApi.create, draft);
}

/** Publishes a draft as its preview says; returns the answer. */
export async function publish(author: Browser, draft: { id: number; version: number }) {
  const { confirmToken } = await author.call(announcementApi.publish, draft);
  return author.call(announcementApi.publish, { ...draft, confirmToken: confirmToken ?? '' });
}

/** Writes and publishes. */
export async function announce(...[school, author, audience, over]: Parameters<typeof write>) {
  const draft = await write(school, author, audience, over);
  return { ...draft, ...(await publish(author, draft)) };
}

interface Planted {
  studentId: number;
  /** By default a new father of the student. */
  guardianId?: number;
  /** Its title and its text. */
  words?: string;
}

/** A published announcement about a student, with the message to a guardian; made in SQL. */
export async function plantAnnouncement(school: School, { studentId, guardianId, words = 'Sports day' }: Planted) {
  const guardian = guardianId ?? (await raise(school, [studentId], { firstName: 'Nikhil' }));
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${guardian}`);
  const [made] = await school.sql(`
    with made as (
      insert into announcement (category_id, priority, author_id, state, publish_at, released_at, sends_email)
      select (select min(id) from academic_lookup where kind = 'Notice category'), 'Normal', min(id), 'Ready', now(), now(), true
      from staff returning id, author_id),
    own as (
      insert into announcement_version (announcement_id, number, title, body, search_text, staff_id, written_at)
      select id, 1, '${words}', '[{"kind": "paragraph", "level": 0, "runs": [{"text": "${words}"}]}]', '${words}', author_id, now() from made),
    target as (insert into announcement_audience (announcement_id, kind, student_id) select id, 'Student', ${studentId} from made),
    recipient as (
      insert into announcement_recipient (announcement_id, guardian_id) select id, ${guardian} from made returning id),
    child as (insert into announcement_recipient_child (recipient_id, student_id) select id, ${studentId} from recipient),
    round as (
      insert into announcement_round (announcement_id, number, kind, version, started_at)
      select id, 1, 'Publish', 1, now() from made)
    insert into announcement_delivery (announcement_id, round, guardian_id, channel)
    select id, 1, ${guardian}, 'email' from made returning id, announcement_id`);
  await school.services.db.transaction().execute((db) => extendLinks({ ...school.context(), db }, [guardian]));
  return { id: Number(made?.announcement_id), deliveryId: Number(made?.id) };
}
