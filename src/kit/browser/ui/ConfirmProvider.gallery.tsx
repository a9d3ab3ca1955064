import * as z from 'zod/mini';
import { answered, refused } from '#kit/browser/gallery/answers.ts';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { endpoint } from '#kit/contract/endpoint.ts';
import { AppError, confirmMessage, problemMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
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
  refused('invalid', problemMessage, { fields: { password: text`This password is not correct.` } }),
);

function ProvenAct() {
  const confirmed = useConfirmed();
  const act = () => Promise.reject(new AppError('confirm_required', confirmMessage));
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
