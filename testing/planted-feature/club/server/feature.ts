import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { clubMaster } from '../contract/masters.ts';
import { clubPages } from '../contract/pages.ts';
import { clubApproval } from './approval.ts';
import clubRoutes from './club.ts';
import { meetingPart } from './family-part.ts';
import { invitation } from './invitation.ts';
import { meetingCard, meetingRoutes } from './meeting.ts';
import { doorSign, meetsOn } from './settings.ts';

export const club = serverFeature({
  pages: clubPages,
  routes: [...clubRoutes, ...meetingRoutes],
  masters: [clubMaster],
  settings: [meetsOn, doorSign],
  approvals: [clubApproval],
  cards: [meetingCard],
  messages: { 'club.invited': invitation },
  familyParts: [meetingPart],
  auditArea: text`Planted clubs`,
  seed: () => import('../seed.ts'),
  auditWords: {
    actions: { 'club-meeting.exported': { verb: 'Exported', words: text`Exported planted meetings` } },
    records: { 'club-meeting': { kind: text`Planted meetings` } },
  },
});
