import { staff } from '#access/contract/grants.ts';
import { options, text } from '#kit/contract/text.ts';

/** Teachers reach the homework of the sections that they lead or teach today; office and principal that of their branches. */
export const homeworkReaders = [staff('classTeacher', 'subjectTeacher', 'office', 'principal')] as const;
/** Each only for the subjects that they are mapped to. */
export const homeworkGivers = [staff('classTeacher', 'subjectTeacher')] as const;
export const homeworkClosers = [staff('classTeacher', 'subjectTeacher', 'principal')] as const;

export const homeworkKinds = options('Written', 'Reading', 'Project', 'Practice', 'Revision', 'Activity');
export type HomeworkKind = (typeof homeworkKinds)[number];

/** As people see it: published homework is scheduled until its moment. */
export const homeworkStates = options('Draft', 'Scheduled', 'Published', 'Closed', 'Cancelled');
export type HomeworkState = (typeof homeworkStates)[number];

/** What a teacher enters for a child. */
export const results = options('Submitted', 'Not done', 'Incomplete', 'Excused');
export type Result = (typeof results)[number];

/** What became of a child's homework; all but the results follow from dates. */
export const statuses = options(
  'Submitted',
  'Late',
  'Not done',
  'Incomplete',
  'Excused',
  'Pending',
  'Missing',
  'Not checked',
);
export type Status = (typeof statuses)[number];

export const standings = options('Given', 'Joined later', 'Left the section', 'Not on the list');

export const mostSections = 20;
export const mostLinks = 5;
export const mostFiles = 5;
export const mostRows = 90;
export const mostDiaryDays = 62;

export const homeworkMessages = {
  noSection: text`Choose at least one section.`,
  oneSubject: text`Choose sections of one subject.`,
  notMapped: text`You are not mapped to this subject in every section. Choose sections that you teach.`,
  notGiver: text`Another teacher gives this subject in the section.`,
  notMappedHere: text`You are not mapped to this subject in the section on that day.`,
  beforeToday: text`Enter a day that is not in the past.`,
  beforeAssigned: text`Enter a day on or after the day it is given.`,
  late: text`Enter a day on or after the due day.`,
  outsideYear: text`Enter a day of this academic year.`,
  noSchoolAtAll: text`There is no school on this day.`,
  links: text`Enter at most ${{ most: mostLinks }} addresses.`,
  noLink: (word: string) =>
    text`“${{ word }}” is no address. Enter addresses such as youtu.be/abc, and put words into the instructions.`,
  marks: text`Enter marks in steps of 0.5, up to 999.`,
  moment: text`Choose a time in the future.`,
  chosenOne: text`Choose students for one section only.`,
  notHere: text`Choose students who have this subject in the section on that day.`,
  noStudents: text`Choose at least one student.`,
  twice: text`This section has this homework already.`,
  notDraft: text`This homework was published already.`,
  notClosed: text`This homework is not closed.`,
  notPublished: text`This homework is not published.`,
  notEnded: text`This year has not ended, or is closed. Close single homework in the list.`,
  noneOfYear: text`No homework of this year is open for you to close.`,
  closed: text`This homework is closed. Reopen it first.`,
  cancelled: text`This homework was cancelled.`,
  future: text`Enter a day that is not in the future.`,
  beforeGiven: text`Enter a day on or after the day it was given.`,
  mostMarks: text`Enter at most the marks of this homework, in steps of 0.5.`,
  noMarks: text`This homework has no marks.`,
  longer: text`Enter a day later than the due day.`,
  skills: text`One of these skills is not of the stage of these sections. Choose other skills.`,
  silent: text`The school sends families no messages about homework.`,
  reminded: text`Families were reminded of it today. Remind them again tomorrow.`,
  allSubmitted: text`All have submitted it.`,
  files: text`Use at most ${{ most: mostFiles }} files.`,
  diaryDays: text`Choose at most ${{ most: mostDiaryDays }} days, the first one first.`,
  noDiary: text`No homework was given on these days.`,
  marksKept: text`A student has more marks already.`,
};
