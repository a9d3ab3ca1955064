import { type ComponentProps, lazy, Suspense } from 'react';
import type { AskForm as Form } from './AskForm.tsx';

const AskForm = lazy(async () => ({ default: (await import('./AskForm.tsx')).AskForm }));

/** The box in which the office asks a family something, loaded when it is opened. */
export const AskBox = (props: ComponentProps<typeof Form>) => (
  <Suspense fallback={null}>
    <AskForm {...props} />
  </Suspense>
);
