import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const yearEndPages = [
  {
    path: 'academic/year-end',
    title: text`Close the year`,
    reads: 'GET /year-end',
    within: ['academic/academic-master'],
    sets: ['office', 'principal', 'accountant'],
    search: ['tab', 'year', 'act'],
    tabs: [
      { key: 'open', title: text`Open` },
      { key: 'results', title: text`Results` },
      { key: 'turn', title: text`Promotion` },
      { key: 'closed', title: text`Closed` },
    ],
    acts: [
      {
        key: 'close',
        title: text`End of the school year`,
        alsoNamed: text`promote roll over year end close reopen`,
      },
    ],
  },
] as const satisfies readonly Page[];
