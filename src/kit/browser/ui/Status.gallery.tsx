import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Overdue, Status } from './Status.tsx';

export const status: Section = {
  name: 'Status',
  states: {
    Plain: <Status>Left</Status>,
    Good: <Status kind="good">Active</Status>,
    Bad: <Status kind="bad">Correction</Status>,
    Warn: <Status kind="warn">In progress</Status>,
    Info: <Status kind="info">Form sent</Status>,
    Accent: <Status kind="accent">New</Status>,
    Overdue: <Overdue>24 Nov</Overdue>,
    'Says that it is overdue': <Overdue isSaid>2 days late</Overdue>,
    'Long words': <Status kind="warn">{longWords}</Status>,
  },
};
