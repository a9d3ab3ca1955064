import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { routes } from '#kit/server/http/routes.ts';
import { familyMeetingMessages } from '../contract/family-messages.ts';
import { meetingApi, meetingMessages } from '../contract/meeting.ts';
import { meetingPages } from '../contract/pages.ts';
import {
  answerAway,
  answerCalendar,
  answerEnrolment,
  answerLeaving,
  meetingMerges,
  mergeTimes,
  mergeTimesOfAdults,
} from './answers.ts';
import { auditWords } from './audit-words.ts';
import { book, came, free, students } from './book.ts';
import { meetingCell } from './day-cell.ts';
import { familyMeetingRoutes, meetingPart } from './family.ts';
import { cancel, closeHost, open } from './open.ts';
import { addHost, changeHost, create, offer, removeHost, update } from './plan.ts';
import { meetingListRoutes, read, slots } from './read.ts';
import { meetingSearch } from './search.ts';
import { meetingSettings } from './settings.ts';
import { printSheet } from './sheet.ts';
import { dailyReminder, meetingTemplates, meetingTexts } from './tell.ts';
import { cameTodo, openTodo } from './todo.ts';
import { meetingYearEnd } from './year-end.ts';

export const meeting = serverFeature({
  pages: meetingPages,
  routes: [
    ...meetingListRoutes,
    ...routes(meetingApi, {
      offer,
      read,
      create,
      update,
      addHost,
      changeHost,
      removeHost,
      open,
      closeHost,
      cancel,
      slots,
      students,
      book,
      free,
      came,
      sheet: printSheet,
    }),
    ...familyMeetingRoutes,
  ],
  constraintMessages: {
    meeting_host_once: meetingMessages.once,
    meeting_host_room: meetingMessages.room,
    meeting_slot_teacher: meetingMessages.teacher,
    meeting_slot_family: familyMeetingMessages.family,
    meeting_slot_child: familyMeetingMessages.child,
  },
  answers: [answerCalendar, answerAway, answerLeaving, answerEnrolment, mergeTimes, mergeTimesOfAdults],
  merges: meetingMerges,
  dayCells: [meetingCell],
  familyParts: [meetingPart],
  messages: meetingTemplates,
  textMessages: meetingTexts,
  todos: [openTodo, cameTodo],
  searches: [meetingSearch],
  yearEnd: meetingYearEnd,
  daily: [dailyReminder],
  settings: meetingSettings,
  auditArea: text`Meetings`,
  auditWords,
  seed: () => import('../seed.ts'),
});
