import { english, type Text, text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { routes } from '#kit/server/http/routes.ts';
import { approvalApi, approvalMessages } from '../contract/approval.ts';
import { approvalPages } from '../contract/pages.ts';
import { approvalCard, approvalTodo, askedCard } from './dashboard-card.ts';
import { decide, decideMany, ofYear, returnOfYear, withdraw } from './decide.ts';
import { listRoutes } from './list.ts';
import { approvalMerges } from './merge.ts';
import { requestSubject } from './notice-subject.ts';
import { read } from './read.ts';
import { approvalYearEnd } from './year-end.ts';

/** Requests that a second person decides, whichever feature they are of. */
export const approval = serverFeature({
  pages: approvalPages,
  routes: [...listRoutes, ...routes(approvalApi, { read, decide, decideMany, ofYear, returnOfYear, withdraw })],
  cards: [approvalCard, askedCard],
  todos: [approvalTodo],
  noticeSubjects: [requestSubject],
  constraintMessages: {
    approval_second_person: approvalMessages.own,
    approval_decided: approvalMessages.decided,
  },
  yearEnd: approvalYearEnd,
  auditArea: text`Approvals`,
  auditWords: {
    actions: {
      'approval.requested': { verb: 'Created', words: text`Approval requested` },
      'approval.approved': { verb: 'Decided', words: text`Approved` },
      'approval.rejected': { verb: 'Decided', words: text`Rejected` },
      'approval.withdrawn': { verb: 'Reversed', words: text`Request withdrawn` },
      'approval.exported': { verb: 'Exported', words: text`Exported` },
    },
    records: {
      approval: {
        kind: text`Request for approval`,
        findNames: async (db, ids) =>
          (await db.selectFrom('approval').where('id', 'in', ids).select(['id', 'title']).execute()).map(
            ({ id, title }) => ({ id, name: english(title as unknown as Text) }),
          ),
      },
    },
  },
  merges: approvalMerges,
});
