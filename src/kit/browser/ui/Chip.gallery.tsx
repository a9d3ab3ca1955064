import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Alert, Chip } from './Chip.tsx';

export const chip: Section = {
  name: 'Chip',
  states: {
    Plain: <Chip>Inactive</Chip>,
    Good: <Chip kind="good">Current</Chip>,
    Bad: <Chip kind="bad">Overdue</Chip>,
    Warn: <Chip kind="warn">Half day</Chip>,
    Info: <Chip kind="info">Exam</Chip>,
    Accent: <Chip kind="accent">Holiday</Chip>,
    'Two beside each other': (
      <>
        <Chip>Collects</Chip>
        <Chip>Waters</Chip>
      </>
    ),
  },
};

export const alert: Section = {
  name: 'Alert',
  states: {
    Warning: <Alert>Brittle branches: keep away in a storm</Alert>,
    Critical: <Alert kind="bad">{longWords}</Alert>,
  },
};
