import { type ComponentProps, type ComponentType, type ReactNode, useCallback, useRef, useState } from 'react';
import { withWords } from '#kit/browser/language.tsx';
import { ConfirmContext, type Confirmed } from '#kit/browser/ui/confirmed.ts';
import { AppError, awayMessage } from '#kit/contract/errors.ts';
import type { FamilyPageData } from '../contract/family.ts';
import type { ProveDialog } from './ProveDialog.tsx';

interface Props {
  proof: FamilyPageData['proof'];
  /** The phone is proven from now on. */
  onProven: () => void;
  children: ReactNode;
}

interface Asked {
  go: () => void;
  giveUp: () => void;
}

/** Asks for a code, in a dialog that is loaded then, whenever an act of the page needs a proven phone. */
export function ProofProvider({ proof, onProven, children }: Props) {
  const [Shown, setShown] = useState<ComponentType<ComponentProps<typeof ProveDialog>>>();
  const asked = useRef<Asked>(undefined);
  const confirmed: Confirmed = useCallback(async (act) => {
    try {
      return await act();
    } catch (refusal) {
      if (!(refusal instanceof AppError) || refusal.code !== 'confirm_required') throw refusal;
      const loaded = await withWords(import('./ProveDialog.tsx')).catch(() => {
        throw new AppError('unavailable', awayMessage);
      });
      await new Promise<void>((go, reject) => {
        asked.current = { go, giveUp: () => reject(refusal) };
        setShown(() => loaded.ProveDialog);
      });
      return act();
    }
  }, []);
  const close = (isProven: boolean) => {
    if (isProven) {
      onProven();
      asked.current?.go();
    } else asked.current?.giveUp();
    asked.current = undefined;
    setShown(undefined);
  };
  return (
    <ConfirmContext value={confirmed}>
      {children}
      {Shown && <Shown proof={proof} onClose={close} />}
    </ConfirmContext>
  );
}
