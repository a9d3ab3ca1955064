import { lookupsOf } from '#features/school/api.ts';
import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { routes } from '#kit/server/http/routes.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';
import { announcementApi, categories } from '../contract/announcement.ts';
import { announcementPages } from '../contract/pages.ts';
import { answerRoutes } from './answer.ts';
import { publishApproval } from './approval.ts';
import { choices } from './choices.ts';
import { acknowledgeTodo, announcementCard } from './dashboard-card.ts';
import { releaseDue } from './due.ts';
import { familyNoticeRoutes, noticePart } from './family-part.ts';
import { acknowledge, feed, seen } from './feed.ts';
import { addFile, removeFile } from './files.ts';
import { moveAnnouncements } from './leaving.ts';
import { announcementListRoutes } from './list.ts';
import { manyRoutes } from './many.ts';
import { announcementMerges, mergeAnnouncedAdults, mergeAnnouncements } from './merge.ts';
import { announcementTemplates, announcementTexts } from './message.ts';
import { newVersion } from './new-version.ts';
import { changePeople } from './people.ts';
import { guardians, preview, test, testTemplates } from './preview.ts';
import { copy, publish, undo, withdraw } from './publish.ts';
import { count } from './reach.ts';
import { file, read } from './read.ts';
import { receiptRoutes } from './receipts.ts';
import { ofStaff, studentAnnouncements } from './record-cards.ts';
import { remind } from './remind.ts';
import { create, remove, update } from './save.ts';
import { announcementSearch } from './search.ts';
import { announcementRuns } from './send.ts';
import { announcementSettings } from './settings.ts';

const auditWords: AuditWords = {
  actions: {
    'announcement.added': { verb: 'Created', words: text`Added` },
    'announcement.changed': { verb: 'Changed', words: text`Changed` },
    'announcement.tested': { verb: 'Sent', words: text`Sent a test to their own address` },
    'announcement.new-version': { verb: 'Changed', words: text`Published a new text` },
    'announcement.deleted': { verb: 'Deleted', words: text`Deleted` },
    'announcement.published': { verb: 'Decided', words: text`Published` },
    'announcement.undone': { verb: 'Reversed', words: text`Changed it back to a draft` },
    'announcement.withdrawn': { verb: 'Reversed', words: text`Withdrawn` },
    'announcement.people-changed': { verb: 'Changed', words: text`Changed the people it is for` },
    'announcement.moved': { verb: 'Moved', words: text`Given to another author because its author leaves` },
    'announcement.reminded': { verb: 'Sent', words: text`Reminded readers` },
    'announcement.file-added': { verb: 'Created', words: text`Added a file` },
    'announcement.file-removed': { verb: 'Deleted', words: text`Removed a file` },
    'announcement.answered': { verb: 'Decided', words: text`Answered for the child` },
    'announcement.answer-entered': { verb: 'Decided', words: text`Entered an answer on paper` },
    'announcement.exported': { verb: 'Exported', words: text`Exported` },
  },
  records: {
    announcement: {
      kind: text`Announcement`,
      findNames: async (db, ids) =>
        db
          .selectFrom('announcement as notice')
          .innerJoin('announcement_version as own', (join) =>
            join.onRef('own.announcement_id', '=', 'notice.id').onRef('own.number', '=', 'notice.current_version'),
          )
          .where('notice.id', 'in', [...ids])
          .select(['notice.id', 'own.title as name'])
          .execute(),
    },
  },
};

export const announcement = serverFeature({
  pages: announcementPages,
  routes: [
    ...announcementListRoutes,
    ...receiptRoutes,
    ...answerRoutes,
    ...familyNoticeRoutes,
    ...routes(announcementApi, {
      options: choices,
      count,
      categories: lookupsOf(categories),
      feed,
      ofStaff,
      read,
      file,
      seen,
      acknowledge,
      create,
      update,
      newVersion,
      preview,
      guardians,
      test,
      remove,
      addFile,
      removeFile,
      publish,
      undo,
      withdraw,
      copy,
      remind,
      changePeople,
    }),
    ...manyRoutes,
  ],
  settings: announcementSettings,
  answers: [moveAnnouncements, mergeAnnouncements, mergeAnnouncedAdults],
  cards: [announcementCard],
  todos: [acknowledgeTodo],
  recordCards: [studentAnnouncements],
  searches: [announcementSearch],
  messages: { ...announcementTemplates, ...testTemplates },
  textMessages: announcementTexts,
  runs: announcementRuns,
  familyParts: [noticePart],
  everyMinute: [{ name: 'announcement.release', act: releaseDue }],
  approvals: [publishApproval],
  seed: () => import('../seed.ts'),
  tagged: [{ scope: 'Announcement', entity: 'announcement' }],
  auditArea: text`Announcements`,
  auditWords,
  merges: announcementMerges,
});
