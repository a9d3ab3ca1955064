import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const yearEndPages = [
  {
    path: 'academic/year-end',
    title: text`Close the year`,
    reads: 'GET /year-end',
    isWide: true,
    within: ['academic/academic-master'],
    sets: ['office', 'principal', 'accountant'],
    search: ['tab', 'year', 'act', 'answer'],
    tabs: [
      { key: 'open', title: text`Open` },
      { key: 'families', title: text`Families` },
      { key: 'results', title: text`Results` },
      { key: 'turn', title: text`Promotion` },
      { key: 'leavers', title: text`Leavers` },
      { key: 'next', title: text`Next year` },
      { key: 'unexplained', title: text`Unexplained` },
      { key: 'closed', title: text`Closed` },
    ],
    acts: [
      {
        key: 'close',
        title: text`End of the school year`,
        alsoNamed: text`close the year end roll over reopen`,
      },
      {
        key: 'turn',
        title: text`Promote all grades`,
        alsoNamed: text`promote promotion next class roll over year end`,
        roles: ['Admin', 'Staff'],
        sets: ['office', 'principal'],
      },
      {
        key: 'leavers',
        title: text`Complete the leavers`,
        alsoNamed: text`last class passed out leaving certificates year end`,
        roles: ['Admin', 'Staff'],
        sets: ['office', 'principal'],
      },
      {
        key: 'unexplained',
        title: text`Unexplained students`,
        alsoNamed: text`no-show not seen never joined undecided`,
        roles: ['Admin', 'Staff'],
        sets: ['office', 'principal'],
      },
      {
        key: 'next',
        title: text`Prepare the next year`,
        alsoNamed: text`sections roll numbers prices riders class teachers`,
      },
      {
        key: 'families',
        title: text`Families asked about the next year`,
        alsoNamed: text`staying leaving next year question answers survey`,
        roles: ['Admin', 'Staff'],
        sets: ['office', 'principal'],
      },
    ],
  },
] as const satisfies readonly Page[];
