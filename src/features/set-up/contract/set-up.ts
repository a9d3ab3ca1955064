import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, oneOf, optionalEmail, optionalMobile, rule, tick } from '#kit/contract/fields.ts';
import { someOf } from '#kit/contract/list.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { calendarDay, wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';

/** The classes of a school in India, from the lowest. */
export const classes = options('Nursery', 'LKG', 'UKG', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12');

/** The place of a class among all, from 0. */
export const placeOf = (name: string): number => (classes as readonly string[]).indexOf(name);

/** The word before the number of a class. */
export const classWords = options('Grade', 'Class', 'Std');

export const mediums = options('English', 'Gujarati', 'Hindi');

/** The streams of classes 11 and 12, each of which is a program. */
export const streams = options('Science', 'Commerce', 'Arts');
const firstOfStreams = '11';

/** Whether a class is divided into streams. */
export const hasStreams = (name: string): boolean => placeOf(name) >= placeOf(firstOfStreams);

/** What the first people with an account work as. */
export const posts = options('Office', 'Principal', 'Accountant');

export const setUpMessages = {
  lastBeforeFirst: text`Choose a higher class, or the same one.`,
  hasYear: text`There is an academic year already. Change it in Academic Master.`,
  noYear: text`Add the academic year first.`,
  noAddress: text`Enter an email address or a mobile number.`,
};

/** What the classes consist of, in the order in which they are added. */
export const classParts = options('Branches', 'Boards', 'Programs', 'Classes', 'Sections', 'Subjects of classes');

const access = [admin()];

export const setUpApi = {
  /** The steps of a new school in their order, with what there is and what is missing. */
  read: endpoint({
    method: 'GET',
    path: '/set-up',
    access,
    input: z.object({}),
    output: z.object({
      steps: z.array(
        z.object({
          key: z.string(),
          isDone: z.boolean(),
          /** The school does without the step for now. */
          isSkipped: z.boolean(),
          title: anyText,
          found: anyText,
          missing: anyText,
          /** The page, below /school-erp, and the words of the button to it. */
          to: z.string(),
          act: anyText,
        }),
      ),
    }),
  }),
  /** Adds the first academic year, which is the current one, with its two terms. */
  year: endpoint({
    method: 'POST',
    path: '/set-up/year',
    access,
    changes: ['year', 'term'],
    input: z.object({ startsOn: calendarDay(text`First day of the academic year`) }),
    output: z.object({ name: z.string() }),
  }),
  /** Skips a step, or takes it up again; what it made stays. */
  skip: endpoint({
    method: 'POST',
    path: '/set-up/skip',
    access,
    changes: [],
    input: z.object({ key: freeText(text`Step`, 40), isSkipped: tick(text`Skip this step`) }),
    output: z.object({}),
  }),
  /** Adds a member of staff with an account, and invites them by email, or else by SMS. */
  account: endpoint({
    method: 'POST',
    path: '/set-up/account',
    access,
    changes: ['account', 'staff'],
    isConfirmed: true,
    input: z
      .object({
        name: freeText(text`Name`, 120),
        email: optionalEmail(text`Email address`),
        mobile: optionalMobile(text`Mobile number`),
        post: oneOf(text`Permissions`, posts),
      })
      .check(
        rule(({ email, mobile }, say) => {
          if (email === '' && mobile === '') say('email', setUpMessages.noAddress);
        }),
      ),
    output: z.object({}),
  }),
  /** Adds the classes from the first to the last one with their sections, and leaves what is there as it is. */
  classes: endpoint({
    method: 'POST',
    path: '/set-up/classes',
    access,
    changes: ['branch', 'board', 'program', 'grade', 'section', 'subject', 'grade-subject'],
    input: z
      .object({
        board: freeText(text`Board`, 60),
        firstClass: oneOf(text`First class`, classes),
        lastClass: oneOf(text`Last class`, classes),
        word: oneOf(text`Word before the number`, classWords),
        sections: wholeNumber(text`Sections of each class`, { least: 1, most: 12 }),
        capacity: wholeNumber(text`Seats of a section`, { least: 1, most: 80 }),
        medium: oneOf(text`Medium`, mediums),
        streams: someOf(text`Streams of 11 and 12`, streams, { optional: true }),
        hasSubjects: tick(text`Add the usual subjects`),
        confirmToken,
      })
      .check(
        rule(({ firstClass, lastClass }, say) => {
          if (firstClass && lastClass && placeOf(lastClass) < placeOf(firstClass))
            say('lastClass', setUpMessages.lastBeforeFirst);
        }),
      ),
    output: previewed({
      parts: z.array(z.object({ part: z.enum(classParts), added: z.number(), alreadyThere: z.number() })),
    }),
  }),
};
