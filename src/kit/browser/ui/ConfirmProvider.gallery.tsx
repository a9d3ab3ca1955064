import * as z from 'zod/mini';
import { answered, refused } from '#kit/browser/gallery/answers.ts';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { endpoint } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { Button } from './Button.tsx';
import { ConfirmProvider } from './ConfirmProvider.tsx';
import { useConfirmed } from './confirmed.ts';

const confirm = answered(
  endpoint({
    method: 'POST',
    path: '/kit/confirm',
    access: 'public',
    input: z.object({ password: z.string() }),
    output: z.object({}),
  }),
  refused('invalid', 'There is a problem', { fields: { password: 'This password is not right.' } }),
);

function ProvenAct() {
  const confirmed = useConfirmed();
  const act = () => Promise.reject(new AppError('confirm_required', 'Please confirm that it is you.'));
  return <Button onClick={() => confirmed(act).catch(() => undefined)}>Export all names</Button>;
}

export const confirmProvider: Section = {
  name: 'ConfirmProvider',
  states: {
    'Asks for the password, which is always refused here': (
      <ConfirmProvider endpoint={confirm}>
        <ProvenAct />
      </ConfirmProvider>
    ),
  },
};
