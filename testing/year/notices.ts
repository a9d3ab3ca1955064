import { announcementApi } from '#features/announcement/contract/announcement.ts';
import { type Act, ask, confirm, post, said, sectionsOn } from './acting.ts';
import { drawRow } from './money.ts';

/** The office announces something to a section or a grade; one in five is only for its own page. */
const announce: Act['act'] = async (world, random, day) => {
  const [category] = await world.school.sql(`select min(id) as id from academic_lookup where kind = 'Notice category'`);
  const section = random.oneOf(sectionsOn(world, day));
  const isOfGrade = random.isOnceIn(3);
  const isPageOnly = random.isOnceIn(5);
  const { office } = world.people;
  const made = await post(office, announcementApi.create.path, {
    ...{ title: `Sports day ${random.upTo(1000)}`, categoryId: category?.id, priority: 'Normal', branchId: null },
    body: [{ kind: 'paragraph', level: 0, runs: [{ text: 'Please send a water bottle.' }] }],
    ...{
      publishOn: '',
      publishTime: '',
      expiresOn: '',
      expiresTime: '',
      isPinned: false,
      asks: 'Nothing',
      options: '',
    },
    ...{ acknowledgeBy: '', sendsEmail: !isPageOnly, sendsSms: false, isPageOnly },
    audience: [
      isOfGrade
        ? { kind: 'Grade', id: section.gradeId, isExcluded: false, hasTeachers: true }
        : { kind: 'Section', id: section.id, isExcluded: false, hasTeachers: true },
    ],
  });
  if (made.status !== 200) return said(made, []);
  const { id, version } = made.json;
  return said(await confirm(office, `/announcement/${id}/publish`, { version }), []);
};

const withdraw: Act['act'] = async (world, random) => {
  const own = await drawRow<{ id: number; version: number }>(
    world,
    random,
    `select id, version from announcement where state = 'Ready' and released_at is not null`,
  );
  if (!own) return undefined;
  const body = { version: own.version, reason: 'The date was wrong' };
  return said(await post(world.people.office, `/announcement/${own.id}/withdraw`, body), []);
};

/** A teacher opens what is new. */
const read: Act['act'] = async (world, random, day) => {
  const { teacher } = random.oneOf(sectionsOn(world, day));
  const feed = await ask(teacher, { url: '/api/announcement/feed' });
  const card = feed.json?.rows?.[0];
  if (!card) return undefined;
  return said(await post(teacher, `/announcement/${card.id}/seen`, { number: card.number }), []);
};

/** A class teacher writes to another class. */
const announceElsewhere: Act['act'] = async (world, random, day) => {
  const [own, other] = [random.oneOf(sectionsOn(world, day)), random.oneOf(sectionsOn(world, day))];
  const [category] = await world.school.sql(`select min(id) as id from academic_lookup where kind = 'Notice category'`);
  if (own.id === other.id) return undefined;
  const sent = await post(own.teacher, announcementApi.create.path, {
    ...{ title: 'Bring colours', categoryId: category?.id, priority: 'Normal', branchId: null },
    body: [{ kind: 'paragraph', level: 0, runs: [{ text: 'On Monday.' }] }],
    ...{
      publishOn: '',
      publishTime: '',
      expiresOn: '',
      expiresTime: '',
      isPinned: false,
      asks: 'Nothing',
      options: '',
    },
    ...{ acknowledgeBy: '', sendsEmail: true, sendsSms: false, isPageOnly: false },
    audience: [{ kind: 'Section', id: other.id, isExcluded: false, hasTeachers: true }],
  });
  return said(sent, []);
};

export const noticeActs: readonly Act[] = [
  { name: 'a notice published', weight: 2, act: announce },
  { name: 'a notice withdrawn', weight: 1, act: withdraw },
  { name: 'a notice read', weight: 2, act: read },
  { name: 'a notice to another class', weight: 1, isWrong: true, act: announceElsewhere },
];
