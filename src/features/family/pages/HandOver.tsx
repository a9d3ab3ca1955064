import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { QrCode } from '#kit/browser/ui/QrCode.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { linkApi } from '../contract/link.ts';

interface Shown {
  link: string;
  shortLink: string;
  until: string;
}

/** Copies a guardian's link, and shows it with its QR code, to hand over at the desk. */
export function useHandOver({ id, name }: { id: number; name: string }) {
  const { t } = useLingui();
  const toast = useToast();
  const copy = useAction(linkApi.copy);
  const [shown, setShown] = useState<Shown>();
  const show = async () => {
    const made = await copy.run({ id });
    if (!made) return;
    setShown(made);
    await navigator.clipboard?.writeText(made.link).then(
      () => toast({ kind: 'success', title: t`Link copied.` }),
      () => undefined,
    );
  };
  return {
    show,
    problem: copy.problem,
    dialog: shown && <Handed id={id} name={name} shown={shown} onClose={() => setShown(undefined)} />,
  };
}

interface HandedProps {
  id: number;
  name: string;
  shown: Shown;
  onClose: () => void;
}

function Handed({ id, name, shown: { link, shortLink, until }, onClose }: HandedProps) {
  const { t } = useLingui();
  const download = useDownload();
  const print = useAttempt();
  return (
    <SideDialog title={t`Family page of ${name}`} about={t`Works until ${showDate(until)}.`} onClose={onClose}>
      {(close) => (
        <>
          <p style={{ overflowWrap: 'anywhere' }}>{link}</p>
          <p>
            <Trans>To type in: {shortLink}</Trans>
          </p>
          <QrCode text={shortLink} label={t`QR code of the link of ${name}`} />
          {print.problem}
          <DialogButtons>
            <Button onClick={close}>
              <Trans>Close</Trans>
            </Button>
            <Button
              kind="main"
              isBusy={print.isBusy}
              onClick={() => print.attempt(() => download(linkApi.slip, { id }, t`family-link.pdf`))}
            >
              <Trans>Print slip</Trans>
            </Button>
          </DialogButtons>
        </>
      )}
    </SideDialog>
  );
}
