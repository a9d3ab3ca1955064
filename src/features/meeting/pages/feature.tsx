import { browserFeature } from '#kit/browser/feature.ts';
import { meetingPages } from '../contract/pages.ts';

export const meeting = browserFeature(meetingPages, {
  'meeting/meeting-list': () => import('./MeetingListPage.tsx'),
  'meeting/meeting-list/$meetingID': () => import('./MeetingPage.tsx'),
});
