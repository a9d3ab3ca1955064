import type { Priority } from './masters.ts';

interface UsualCategory {
  name: string;
  /** Names of departments that get it, the first that the school has. */
  departments: readonly string[];
  priority: Priority;
  parts: readonly string[];
  needs?: 'student' | 'place';
  isConfidential?: boolean;
  template?: string;
}

/** The categories that a school starts with. */
export const usualCategories: readonly UsualCategory[] = [
  {
    name: 'Maintenance',
    departments: ['Maintenance', 'Administration'],
    priority: 'Medium',
    parts: ['Electrical', 'Plumbing', 'Furniture'],
    needs: 'place',
    template: 'What is broken? Is it dangerous?',
  },
  {
    name: 'IT',
    departments: ['IT', 'Computer', 'Administration'],
    priority: 'Medium',
    parts: ['Projector', 'Computer', 'Internet'],
    template: 'Which device? What does it show?',
  },
  {
    name: 'Transport',
    departments: ['Transport', 'Administration'],
    priority: 'High',
    parts: ['Late bus', 'Lost item'],
    needs: 'student',
    template: 'Which route and stop? On which day?',
  },
  {
    name: 'Fees',
    departments: ['Accounts', 'Administration'],
    priority: 'Medium',
    parts: ['Receipt', 'Refund'],
    needs: 'student',
  },
  {
    name: 'Academics',
    departments: ['Academics', 'Administration'],
    priority: 'Medium',
    parts: ['Books', 'Timetable'],
  },
  {
    name: 'Admin',
    departments: ['Front office', 'Administration'],
    priority: 'Low',
    parts: ['Certificate', 'Identity card'],
  },
  {
    name: 'Housekeeping',
    departments: ['Housekeeping', 'Administration'],
    priority: 'Medium',
    parts: [],
    needs: 'place',
  },
  {
    name: 'Safety',
    departments: ['Administration'],
    priority: 'Urgent',
    parts: ['Complaint about a person'],
    isConfidential: true,
    template: 'What happened, when, and who saw it?',
  },
];

/** Minutes to the first answer and to the solution. */
export const usualTargets: Readonly<Record<Priority, readonly [response: number, resolution: number]>> = {
  Urgent: [30, 240],
  High: [120, 480],
  Medium: [240, 960],
  Low: [480, 2400],
};

/** Mon-Fri 09:00-17:00 with a break 13:00-13:45, Sat 09:00-13:00; a half day ends at 13:00. */
export const usualHours = [1, 2, 3, 4, 5, 6].map((weekday) => ({
  weekday,
  opens: 540,
  closes: weekday === 6 ? 780 : 1020,
  halfDayCloses: 780,
  breaks: weekday === 6 ? [] : [{ from: 780, to: 825 }],
}));

export const usualReplies = [
  { name: 'Received', text: 'Thank you. We have received your request and are looking into it.' },
  { name: 'Need more facts', text: 'Please tell us the place and the time, and add a photo if you can.' },
  { name: 'Solved', text: 'This is solved. Please confirm, or reopen the ticket if it comes back.' },
] as const;
