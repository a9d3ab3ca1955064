import * as z from 'zod/mini';
import { signedIn } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { chart } from '#kit/contract/served-card.ts';
import { text } from '#kit/contract/text.ts';
import { todoIcons } from '#kit/contract/todo.ts';
import { badgeApi } from './badge.ts';

export const backupMessages = {
  none: text`This school has no backup. Ask your system administrator to run “npm run backup” and check its log.`,
  old: text`The last backup is more than 2 days old. Ask your system administrator to run “npm run backup” and check its log.`,
};

/** Something an Admin must fix, and the page for it where there is one. */
const warning = z.object({ name: z.string(), text: anyText, to: z.optional(z.string()) });
export type DashboardWarning = z.infer<typeof warning>;

const counted = {
  value: z.number(),
  /** The list counts no further. */
  isMore: z.optional(z.boolean()),
  /** The page of the counted records, below /school-erp. */
  to: z.optional(z.string()),
};
const figure = z.object({
  ...counted,
  label: anyText,
  /** It counts what is overdue or lost. */
  isLate: z.optional(z.boolean()),
  /** The same number for everybody, where `value` counts only the user's own. */
  ofAll: z.optional(z.object(counted)),
});

/** A card that could not be read is empty, and says so. */
const card = z.object({
  title: anyText,
  /** Its first figure is a link in the head of the page too. */
  leads: z.optional(z.boolean()),
  figures: z.array(figure),
  /** Records of the user, below what is to do. */
  lines: z.optional(
    z.array(
      z.object({
        words: anyText,
        about: z.string(),
        state: anyText,
        tone: z.enum(['good', 'warn', 'bad']),
        /** Its page, below /school-erp. */
        to: z.string(),
      }),
    ),
  ),
  hasFailed: z.optional(z.boolean()),
});
export type DashboardCard = z.infer<typeof card>;

const todo = z.object({
  kind: z.string(),
  id: z.number(),
  when: z.enum(['late', 'today', 'soon']),
  /** A person's name, or the work itself where it concerns nobody. */
  title: z.union([z.string(), anyText]),
  about: z.string(),
  icon: z.enum(todoIcons),
  due: z.optional(anyText),
  detail: anyText,
  mobile: z.optional(z.string()),
  /** What an act on the dashboard itself sends back. */
  seen: z.optional(z.string()),
  /** Its page, below /school-erp. */
  to: z.string(),
  act: anyText,
});
export type Todo = z.infer<typeof todo>;

const dayLine = z.object({
  words: anyText,
  aside: z.optional(anyText),
  isProblem: z.optional(z.boolean()),
  /** Its page, below /school-erp. */
  to: z.optional(z.string()),
});
const dayCell = z.object({ title: anyText, lines: z.array(dayLine), act: z.optional(anyText) });
export type DayCell = z.infer<typeof dayCell>;

const ownSection = z.object({
  id: z.number(),
  name: z.string(),
  work: z.string(),
  state: anyText,
  isProblem: z.optional(z.boolean()),
  /** The share of students present on each of the last school days, per mille. */
  days: z.array(z.nullable(z.number())),
  perMille: z.nullable(z.number()),
  people: z.number(),
});
export type OwnSection = z.infer<typeof ownSection>;

const unit = z.enum(['number', 'money', 'percent']);
const figureToday = z.object({
  title: anyText,
  value: z.number(),
  unit,
  of: z.optional(z.number()),
  words: z.optional(anyText),
  before: z.optional(anyText),
  late: z.optional(anyText),
  isLate: z.optional(z.boolean()),
  /** It could not be read: its value says nothing. */
  hasFailed: z.optional(z.boolean()),
  to: z.optional(z.string()),
});
export type FigureToday = z.infer<typeof figureToday>;

const change = z.object({
  title: anyText,
  words: anyText,
  names: z.array(z.string()),
  more: z.number(),
  to: z.string(),
});

const bars = z.object({
  kind: z.literal('rows'),
  says: anyText,
  unit,
  rows: z.array(
    z.object({
      label: anyText,
      value: z.number(),
      count: z.optional(z.number()),
      to: z.optional(z.string()),
    }),
  ),
  total: z.optional(z.object({ value: z.number(), count: z.optional(z.number()) })),
});
export type Bars = z.infer<typeof bars>;

const dashboardChart = z.object({ title: anyText, to: z.string(), drawing: z.union([chart, bars]) });
export type DashboardChart = z.infer<typeof dashboardChart>;

export const dashboardApi = {
  /** Today's figures at the top of the page, each compared with an earlier day or a whole; those beyond six are folded. */
  line: endpoint({
    method: 'GET',
    path: '/dashboard/line',
    access: signedIn,
    shows: ['attendance', 'cover', 'payment', 'inquiry', 'route', 'vehicle-away', 'year'],
    input: z.object({}),
    output: z.object({
      /** Some of it could not be read. */
      hasFailed: z.boolean(),
      figures: z.array(figureToday),
      /** The least important of more than six; what is late or failed is not among them while there is room. */
      more: z.array(figureToday),
    }),
  }),
  /** What happened since the last school day, for those who have any source of it: at most six lines. */
  changes: endpoint({
    method: 'GET',
    path: '/dashboard/change',
    access: signedIn,
    shows: ['student-record', 'workday', 'fee-cheque', 'ticket', 'calendar', 'year'],
    input: z.object({}),
    output: z.object({
      /** Some of it could not be read. */
      hasFailed: z.boolean(),
      /** The last school day; '' for a user who has no source. */
      since: z.string(),
      lines: z.array(change),
    }),
  }),
  /** The charts of the page. */
  charts: endpoint({
    method: 'GET',
    path: '/dashboard/chart',
    access: signedIn,
    shows: ['year'],
    input: z.object({}),
    output: z.object({ hasFailed: z.boolean(), charts: z.array(dashboardChart) }),
  }),
  /** The day of a teacher: what matters today, the sections, and the next days with a name. Empty for others. */
  day: endpoint({
    method: 'GET',
    path: '/dashboard/day',
    access: signedIn,
    shows: ['attendance', 'homework', 'student', 'section', 'section-teacher', 'calendar', 'year'],
    input: z.object({}),
    output: z.object({
      /** Some of it could not be read. */
      hasFailed: z.boolean(),
      cells: z.array(dayCell),
      sections: z.array(ownSection),
      coming: z.array(z.object({ from: z.string(), to: z.string(), words: anyText, detail: anyText })),
    }),
  }),
  /** What the user has to do today, late first: at most 20, and how many more there are of each kind. */
  todo: endpoint({
    method: 'GET',
    path: '/dashboard/todo',
    access: signedIn,
    shows: [
      'inquiry',
      'review',
      'approval',
      'attendance',
      'cover',
      'staff-record',
      'admission',
      'student-record',
      'notification',
      'year',
    ],
    input: z.object({}),
    output: z.object({
      /** Some of it could not be read. */
      hasFailed: z.boolean(),
      total: z.number(),
      isMore: z.boolean(),
      rows: z.array(todo),
      more: z.array(z.object({ title: anyText, count: z.number(), isMore: z.boolean(), to: z.string() })),
    }),
  }),
  /** What the user's role and sets allow: the cards, with the figures of the working year. */
  read: endpoint({
    method: 'GET',
    path: '/dashboard',
    access: signedIn,
    input: z.object({ academicYearId: z.optional(id) }),
    output: z.object({
      /** Empty for Staff. */
      warnings: z.array(warning),
      /** The name of the year that is counted: the given one, else the current one. Null where there is neither. */
      year: z.nullable(z.string()),
      cards: z.array(card),
    }),
  }),
  ...badgeApi,
};
