import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import { errorMessage } from '#kit/browser/data/attempt.tsx';
import { call } from '#kit/browser/data/call.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { Button } from './Button.tsx';
import styles from './ConfirmProvider.module.css';
import { ConfirmContext, type Confirmed } from './confirmed.ts';
import { Dialog, DialogButtons } from './Dialog.tsx';
import { Stack } from './Layout.tsx';

interface Props {
  /** Checks the password as proof of identity. */
  endpoint: Endpoint<z.ZodMiniType<object, { password: unknown }>>;
  children: ReactNode;
}

interface Asked {
  refusal: unknown;
  go: () => void;
  giveUp: (refusal: unknown) => void;
}

/** Asks for the password in a dialog whenever a component below needs it. */
export function ConfirmProvider({ endpoint, children }: Props) {
  const { t } = useLingui();
  const dialog = useRef<HTMLDialogElement>(null);
  const asked = useRef<Asked>(undefined);
  const [problem, setProblem] = useState('');
  const [password, setPassword] = useState('');

  const confirmed: Confirmed = useCallback(async (act) => {
    try {
      return await act();
    } catch (refusal) {
      if (!(refusal instanceof AppError) || refusal.code !== 'confirm_required') throw refusal;
      await new Promise<void>((go, giveUp) => {
        asked.current = { refusal, go, giveUp };
        setProblem('');
        setPassword('');
        dialog.current?.showModal();
      });
      return act();
    }
  }, []);
  const prove = async () => {
    try {
      await call(endpoint, { password });
      asked.current?.go();
      asked.current = undefined;
      dialog.current?.close();
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  const closed = () => {
    asked.current?.giveUp(asked.current.refusal);
    asked.current = undefined;
    setPassword('');
  };
  const context = useMemo(() => confirmed, [confirmed]);
  return (
    <ConfirmContext value={context}>
      {children}
      <Dialog ref={dialog} aria-label={t`Confirm that it is you`} onClose={closed}>
        <Stack
          as="form"
          gap={8}
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            void prove();
          }}
        >
          <p>
            <Trans>Enter your password again to continue.</Trans>
          </p>
          <label htmlFor="confirm-password">
            <Trans>Password</Trans>
          </label>
          <p id="confirm-problem" className="error" role="alert">
            {problem}
          </p>
          <input
            id="confirm-password"
            className="box"
            type="password"
            autoComplete="current-password"
            aria-describedby="confirm-problem"
            aria-invalid={problem !== ''}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <DialogButtons>
            <Button onClick={() => dialog.current?.close()}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" kind="main">
              <Trans>Confirm</Trans>
            </Button>
          </DialogButtons>
        </Stack>
      </Dialog>
    </ConfirmContext>
  );
}
