import type { Page } from '#kit/contract/page.ts';
import type { Chart } from '#kit/contract/served-card.ts';
import type { Text } from '#kit/contract/text.ts';
import type { TodoIcon } from '#kit/contract/todo.ts';
import type { UserContext } from './context.ts';

/** A number on the dashboard. An `isLate` number counts what is overdue or lost, and is red where it is not 0. */
export interface Figure {
  label: Text;
  value: number;
  isLate?: boolean;
  /** The list counts no further. */
  isMore?: boolean;
  /** The page that lists what is counted, with its search: 'academic/academic-master?tab=section'. */
  to?: string;
  /** The same number for everybody, where `value` counts only the user's own. */
  ofAll?: Pick<Figure, 'value' | 'isMore' | 'to'>;
}

/** A record of the user and how it stands, on the dashboard. */
export interface CardLine {
  words: Text;
  /** Whom or what it is about. */
  about: string;
  state: Text;
  tone: 'good' | 'warn' | 'bad';
  /** Its page, below the shell. */
  to: string;
}

/** A card of the dashboard: what a feature counts, for those who have its roles and sets. */
export interface DashboardCard extends Pick<Page, 'roles' | 'sets'> {
  title: Text;
  /** Its first figure is a link in the head of the page too. */
  leads?: boolean;
  /** At most two statements. A card that counts within an academic year has no figures without one. */
  count: (ctx: UserContext, year: CountedYear | undefined) => Promise<Figure[]>;
  /** Records in the place of figures, below what is to do. One statement, at most five rows. */
  lines?: (ctx: UserContext) => Promise<CardLine[]>;
}

export interface CountedYear {
  id: number;
  name: string;
  starts_on: string;
  ends_on: string;
}

/** How many records of a page wait for the user, beside the page in the menu. */
export interface PageBadge extends Pick<Page, 'path' | 'roles' | 'sets'> {
  /** One statement. */
  count: (ctx: UserContext) => Promise<number>;
}

/** Something that a user has to do, with the name of whom or what it is about. */
export interface Todo {
  /** Identifies it within its source. */
  id: number;
  /** Overdue, due today, or later. */
  when: 'late' | 'today' | 'soon';
  /** A person's name, or the work itself where it concerns nobody. */
  title: string | Text;
  /** What it is about, in a word or two: the grade. */
  about: string;
  /** How late it is, or by when it is due. */
  due?: Text;
  /** One line of what there is to know. */
  detail: Text;
  /** Whom to call. */
  mobile?: string;
  /** What an act on the dashboard itself sends back, so that it counts only for what was seen. */
  seen?: string;
  /** Its page, below the shell. */
  to: string;
  /** The words of the button that opens it. */
  act: Text;
}

/** What a feature gives its users to do, for those who have its roles and sets. */
export interface TodoSource extends Pick<Page, 'roles' | 'sets'> {
  /** Its word, by which the browser finds a component for its acts. */
  kind: string;
  /** What they are, as the words of the link to all of them: "Calls overdue". */
  title: Text;
  /** The drawing before each of them. */
  icon: TodoIcon;
  /** The most urgent of them first, at most `most`; the number of all, and the page that lists them. */
  find: (ctx: UserContext, most: number) => Promise<{ rows: Todo[]; total: number; isMore?: boolean; to: string }>;
}

/** A line of a cell: words, and at the right what they are of. */
export interface DayLine {
  words: Text;
  aside?: Text;
  isProblem?: boolean;
  /** Its page, below the shell. */
  to?: string;
}

/** A cell of the strip above a teacher's dashboard. Cells of the same title become one. */
export interface DayCell extends Pick<Page, 'roles' | 'sets'> {
  title: Text;
  /** At most two statements. No line: no cell. */
  read: (ctx: UserContext) => Promise<DayLine[]>;
  /** The words of the button that opens the page of its first line. */
  act?: Text;
}

/** A section that the user leads or teaches. */
export interface OwnSection {
  id: number;
  name: string;
  /** The role and the subjects. */
  work: string;
  /** How today is. */
  state: Text;
  isProblem?: boolean;
  /** The share of those present on each of the last days, per mille; null where it was not noted. */
  days: (number | null)[];
  perMille: number | null;
  people: number;
}

/** Reads the sections that the user leads or teaches. */
export type ReadOwnSections = (ctx: UserContext) => Promise<OwnSection[]>;

/** A day to come that has a name. */
export interface ComingDay {
  from: string;
  to: string;
  words: Text;
  detail: Text;
}

/** Reads the next days with a name, for the user's sections. */
export type ReadComingDays = (ctx: UserContext) => Promise<ComingDay[]>;

/** Today's value of a figure, with something to compare it with. */
export interface FigureToday {
  /** Money is in paise, a share in hundredths of a percent. */
  value: number;
  unit: Chart['unit'];
  /** The whole of which it is a part. */
  of?: number;
  /** What is counted: "children". */
  words?: Text;
  /** The school day before, the day it is due, or what else it is compared with. */
  before?: Text;
  /** What of it is late. */
  late?: Text;
  /** All of it is late. */
  isLate?: boolean;
  /** The page that lists it, below the shell. */
  to?: string;
}

/** A figure of the line above the dashboard, for those who have its roles and sets. */
export interface DayFigure extends Pick<Page, 'roles' | 'sets'> {
  title: Text;
  /** Its place in the line; the lowest is first. */
  place: number;
  /** At most two statements. Without a value it is left out, as on a day without school. */
  read: (ctx: UserContext, year: CountedYear | undefined) => Promise<FigureToday | undefined>;
}

/** What happened since the last school day: how many, and the first of them by name. */
export interface ChangeLine {
  words: Text;
  names: string[];
  /** So many are not named. */
  more: number;
  /** The page that lists them, below the shell. */
  to: string;
}

/** A line of what happened since the last school day, for those who have its roles and sets. */
export interface DayChange extends Pick<Page, 'roles' | 'sets'> {
  title: Text;
  /** Its place among the lines; the lowest is first. */
  place: number;
  /** One statement, of what was entered on the last school day or later. Nothing happened: no line. */
  read: (ctx: UserContext, since: string) => Promise<ChangeLine | undefined>;
}

/** Values that are compared with the longest of them, such as the stages of an admission. */
export interface Bars {
  kind: 'rows';
  /** The whole of it in a sentence. */
  says: Text;
  unit: Chart['unit'];
  rows: { label: Text; value: number; count?: number; to?: string }[];
  /** The sum of the rows, where they have one. */
  total?: { value: number; count?: number };
}

/** A chart of the dashboard, for those who have its roles and sets. */
export interface DashboardChart extends Pick<Page, 'roles' | 'sets'> {
  title: Text;
  /** Its place among the charts; the lowest is first. */
  place: number;
  /** The page with the whole of it, below the shell. */
  to: string;
  /** At most two statements. Without points it is left out. */
  read: (ctx: UserContext, year: CountedYear | undefined) => Promise<Chart | Bars | undefined>;
}
