import { grades } from './school.ts';
import type { Department } from './staff.ts';

interface Lesson {
  /** The indexes of the first and last grade with the subject. */
  from: number;
  to: number;
  periods: number;
  department: Department;
  /** The elective group of the subject. */
  group?: GroupName;
}

interface Subject {
  name: string;
  code: string;
  kind: 'Scholastic' | 'Co-scholastic' | 'Language' | 'Vocational' | 'Activity';
  hasPractical?: boolean;
  lessons: Lesson[];
}

const at = (name: string) => grades.indexOf(name);

export const electiveGroups = {
  Hobby: { min: 1, max: 1 },
  'Third language': { min: 1, max: 1 },
  'Main subjects': { min: 3, max: 3 },
} as const;
type GroupName = keyof typeof electiveGroups;

/** The subjects that a student of Grade 11 or 12 takes together. */
export const streams = [
  ['PHY', 'CHE', 'MAT'],
  ['PHY', 'CHE', 'BIO'],
  ['ACC', 'BST', 'ECO'],
  ['ACC', 'BST', 'STA'],
];

const prePrimary = (periods: number): Lesson => ({ from: 0, to: at('UKG'), periods, department: 'Pre-primary' });
const primary = (periods: number, from = 'Grade 1'): Lesson => ({
  from: at(from),
  to: at('Grade 5'),
  periods,
  department: 'Primary',
});
const middle = (department: Department, periods: number, to = 'Grade 10'): Lesson => ({
  from: at('Grade 6'),
  to: at(to),
  periods,
  department,
});
const hobby: Lesson = { ...middle('Arts and sports', 1, 'Grade 8'), group: 'Hobby' };
const language: Lesson = {
  from: at('Grade 9'),
  to: at('Grade 10'),
  periods: 4,
  department: 'Languages',
  group: 'Third language',
};
const main = (department: Department): Lesson => ({
  from: at('Grade 11'),
  to: at('Grade 12'),
  periods: 7,
  department,
  group: 'Main subjects',
});
const forAll = (periods: number): Lesson => ({
  from: 0,
  to: at('Grade 12'),
  periods,
  department: 'Arts and sports',
});

/** The subjects, with their first and last grade and their department. */
export const subjects: Subject[] = [
  {
    name: 'English',
    code: 'ENG',
    kind: 'Language',
    lessons: [prePrimary(5), primary(6), middle('Languages', 6, 'Grade 12')],
  },
  {
    name: 'Gujarati',
    code: 'GUJ',
    kind: 'Language',
    lessons: [prePrimary(4), primary(5), middle('Languages', 5, 'Grade 8'), language],
  },
  {
    name: 'Hindi',
    code: 'HIN',
    kind: 'Language',
    lessons: [primary(3, 'Grade 3'), middle('Languages', 4, 'Grade 8'), language],
  },
  { name: 'Sanskrit', code: 'SAN', kind: 'Language', lessons: [language] },
  {
    name: 'Mathematics',
    code: 'MAT',
    kind: 'Scholastic',
    lessons: [prePrimary(5), primary(6), middle('Mathematics', 6), main('Mathematics')],
  },
  { name: 'Environment', code: 'EVS', kind: 'Scholastic', lessons: [prePrimary(4), primary(5)] },
  { name: 'Science', code: 'SCI', kind: 'Scholastic', hasPractical: true, lessons: [middle('Science', 6)] },
  { name: 'Social science', code: 'SST', kind: 'Scholastic', lessons: [middle('Social science', 5)] },
  {
    name: 'Computer',
    code: 'COM',
    kind: 'Vocational',
    hasPractical: true,
    lessons: [{ from: at('Grade 1'), to: at('Grade 10'), periods: 2, department: 'Computer' }],
  },
  { name: 'Physics', code: 'PHY', kind: 'Scholastic', hasPractical: true, lessons: [main('Science')] },
  { name: 'Chemistry', code: 'CHE', kind: 'Scholastic', hasPractical: true, lessons: [main('Science')] },
  { name: 'Biology', code: 'BIO', kind: 'Scholastic', hasPractical: true, lessons: [main('Science')] },
  { name: 'Accountancy', code: 'ACC', kind: 'Scholastic', lessons: [main('Commerce')] },
  { name: 'Business studies', code: 'BST', kind: 'Scholastic', lessons: [main('Commerce')] },
  { name: 'Economics', code: 'ECO', kind: 'Scholastic', lessons: [main('Commerce')] },
  { name: 'Statistics', code: 'STA', kind: 'Scholastic', lessons: [main('Commerce')] },
  {
    name: 'Art',
    code: 'ART',
    kind: 'Co-scholastic',
    lessons: [{ from: 0, to: at('Grade 8'), periods: 2, department: 'Arts and sports' }],
  },
  { name: 'Physical education', code: 'PE', kind: 'Activity', lessons: [forAll(2)] },
  { name: 'Music', code: 'MUS', kind: 'Activity', lessons: [hobby] },
  { name: 'Chess', code: 'CHS', kind: 'Activity', lessons: [hobby] },
  { name: 'Dance', code: 'DNC', kind: 'Activity', lessons: [hobby] },
];

/** The subjects of a grade, by its index. */
export const lessonsOf = (grade: number) =>
  subjects.flatMap(({ code, lessons }) =>
    lessons.filter(({ from, to }) => from <= grade && grade <= to).map((lesson) => ({ code, ...lesson })),
  );
