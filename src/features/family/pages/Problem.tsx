import { Trans } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { configuration } from '#features/school/ui/configuration.ts';
import { LanguageSwitch } from '#features/school/ui/LanguageSwitch.tsx';
import { useAction } from '#kit/browser/data/action.ts';
import { currentLink } from '#kit/browser/data/link.ts';
import { withWords } from '#kit/browser/language.tsx';
import { translate } from '#kit/browser/text.ts';
import { later } from '#kit/browser/ui/use-loaded.ts';
import { behindLink, familyApi, renewalAnswer } from '../contract/family.ts';
import { LaterBlock } from '../ui/LaterBlock.tsx';
import styles from './FamilyPage.module.css';

const phones = () => withWords(import('../ui/FamilyPhones.tsx'));
const choose = later(async () => ({ Body: (await phones()).Choose }));
const byNumber = later(async () => ({ Body: (await phones()).ByNumber }));

/** The link opens nothing: it is too old, was replaced or ended, or is not complete. The page does not know which. */
export function DeadLink() {
  const value = currentLink(behindLink.link);
  // Without a link, a phone that several guardians have proven asks whose page it opens.
  if (!value || value.startsWith('of-'))
    return (
      <Problem title={<Trans>School page</Trans>}>
        <LaterBlock block={choose} given={{}} />
      </Problem>
    );
  return (
    <Problem title={<Trans>This link no longer works</Trans>}>
      <p>
        <Trans>It may be too old, not complete, or replaced by a later one.</Trans>
      </p>
      <Renewal value={value} />
      <LaterBlock block={byNumber} given={{}} />
    </Problem>
  );
}

function Renewal({ value }: { value: string }) {
  const [isAnswered, setAnswered] = useState(false);
  const renewal = useAction(familyApi.renewal);
  const ask = async () => {
    if (await renewal.run({ value })) setAnswered(true);
  };
  if (isAnswered) return <p role="status">{translate(renewalAnswer)}</p>;
  return (
    <>
      <p>
        <Trans>We can send a new link to the mobile number or email address the school has.</Trans>
      </p>
      <button type="button" className={styles.button} aria-disabled={renewal.isBusy} onClick={() => void ask()}>
        <Trans>Send a new link</Trans>
      </button>
      {renewal.problem}
    </>
  );
}

/** The page could not be read. */
export const NotRead = ({ message }: { message: ReactNode }) => (
  <Problem title={<Trans>The page can’t be shown</Trans>}>
    <p role="alert">{message}</p>
    <button type="button" className={styles.button} onClick={() => window.location.reload()}>
      <Trans>Reload</Trans>
    </button>
  </Problem>
);

function Problem({ title, children }: { title: ReactNode; children: ReactNode }) {
  const { schoolPhone } = configuration();
  return (
    <main className={styles.problem}>
      <LanguageSwitch />
      <h1>{title}</h1>
      {children}
      {schoolPhone && (
        <p>
          <a href={`tel:${schoolPhone.replace(/[^+0-9]/g, '')}`}>
            <Trans>Call the school: {schoolPhone}</Trans>
          </a>
        </p>
      )}
    </main>
  );
}
