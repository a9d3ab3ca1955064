import { Trans, useLingui } from '@lingui/react/macro';
import { type MouseEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';

interface Props {
  /** The parts of the page that hold entries which are not saved. */
  unsaved: RefObject<Set<string>>;
  className: string | undefined;
  children: ReactNode;
}

/**
 * The acts in the head of a record. They apply to what is saved, so each asks first while a form of the page has unsaved
 * entries. A link asks as it leaves the page.
 */
export function HeadActs({ unsaved, className, children }: Props) {
  const { t } = useLingui();
  const [asked, ask] = useState<HTMLButtonElement>();
  const isAgreed = useRef(false);
  const holdBack = (event: MouseEvent) => {
    const { target, currentTarget } = event;
    const pressed = (target as Element).closest('button');
    if (!pressed || isAgreed.current || unsaved.current.size === 0) return;
    // What an act has opened, such as its own question, follows from the act.
    if (!currentTarget.contains(pressed) || pressed.closest('dialog') !== currentTarget.closest('dialog')) return;
    event.preventDefault();
    event.stopPropagation();
    ask(pressed);
  };
  const words = asked?.textContent ?? '';
  return (
    <>
      <Row gap={8} align="center" noPrint className={className} onClickCapture={holdBack}>
        {children}
      </Row>
      {asked && (
        <AskDialog
          title={t`Your changes are not saved.`}
          cancel={<Trans>Keep editing</Trans>}
          confirm={<Trans>Continue without saving</Trans>}
          onClose={() => ask(undefined)}
          onConfirm={async (close) => {
            close();
            isAgreed.current = true;
            asked.click();
            isAgreed.current = false;
          }}
        >
          <Trans>“{words}” applies to the version that was saved last.</Trans>
        </AskDialog>
      )}
    </>
  );
}
