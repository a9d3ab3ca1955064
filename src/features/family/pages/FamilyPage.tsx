import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { configuration } from '#features/school/ui/configuration.ts';
import { LanguageSwitch } from '#features/school/ui/LanguageSwitch.tsx';
import { useAction } from '#kit/browser/data/action.ts';
import { get } from '#kit/browser/data/get.ts';
import { useLanguage, withWords } from '#kit/browser/language.tsx';
import { translate } from '#kit/browser/text.ts';
import { later } from '#kit/browser/ui/use-loaded.ts';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { localTimeZone } from '#kit/contract/day.ts';
import { AppError, awayMessage } from '#kit/contract/errors.ts';
import { showDay } from '#kit/contract/format.ts';
import { type FamilyPageData, familyApi } from '../contract/family.ts';
import { LaterBlock } from '../ui/LaterBlock.tsx';
import { type FamilyPartView, nameOf } from '../ui/part.ts';
import styles from './FamilyPage.module.css';
import { MoreParts } from './MoreParts.tsx';
import { DeadLink, NotRead } from './Problem.tsx';
import { ProofProvider } from './ProofProvider.tsx';
import { sendLanguage, speakTo } from './reader-language.ts';

type Parts = readonly FamilyPartView<never>[];

const phones = later(async () => ({ Body: (await withWords(import('../ui/FamilyPhones.tsx'))).Phones }));

const own = {
  key: 'own',
  Words: () => <Trans>My number and messages</Trans>,
  load: () => import('../ui/FamilyOwn.tsx'),
};

/** What a guardian reads of the own children. Nothing is kept on the device. */
export function FamilyPage({ parts }: { parts: Parts }) {
  const [page, setPage] = useState<FamilyPageData>();
  const [problem, setProblem] = useState<AppError>();
  useEffect(() => {
    const read = async () => {
      const answer = await get(familyApi.read, {});
      await speakTo(answer);
      setPage(answer);
    };
    read().catch((error: unknown) =>
      setProblem(error instanceof AppError ? error : new AppError('unavailable', awayMessage)),
    );
  }, []);
  if (problem?.code === 'not_found') return <DeadLink />;
  if (problem) return <NotRead message={translate(problem.text)} />;
  if (!page) return <Waiting />;
  return (
    <ProofProvider
      proof={page.proof}
      onProven={() => setPage((before) => before && { ...before, proof: { ...before.proof, isProven: true } })}
    >
      <Page page={page} parts={parts} />
    </ProofProvider>
  );
}

const Waiting = () => (
  <main className={styles.problem}>
    <p role="status">
      <Trans>Loading…</Trans>
    </p>
  </main>
);

const listen = (act: () => void) => {
  window.addEventListener('hashchange', act);
  return () => window.removeEventListener('hashchange', act);
};

function Page({ page, parts }: { page: FamilyPageData; parts: Parts }) {
  const { t } = useLingui();
  const { run } = useAction(familyApi.opened);
  const isCounted = useRef(false);
  // Counted once the page is drawn, so that programs which look links up do not count.
  useEffect(() => {
    if (isCounted.current) return;
    isCounted.current = true;
    void run({});
  });
  const { schoolName, schoolPhone, unread } = configuration();
  const { guardian, children, day: today } = page;
  const at = new Date(page.at).toLocaleTimeString('en-GB', {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: localTimeZone,
  });
  const language = useLanguage();
  const until = page.until && showDay(page.until, language);
  const hash = useSyncExternalStore(listen, () => window.location.hash);
  const chosen = Math.max(
    0,
    children.findIndex((_, place) => hash === `#child-${place + 1}`),
  );
  const shown = parts.flatMap((part) =>
    part.key in page.parts ? [{ ...part, value: page.parts[part.key] as never }] : [],
  );
  // Nothing is asked for a child in school matters.
  const whole = children.filter(({ reach }) => reach === 'All');
  const ofToday = shown
    .flatMap(({ key, Today, value }) => (Today ? [{ key, ...Today, value }] : []))
    .sort((one, other) => one.place - other.place);
  const title = t`School page`;
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
  const phone = `tel:${schoolPhone.replace(/[^+0-9]/g, '')}`;
  return (
    <>
      <header className={styles.head}>
        <div>
          <span className={styles.school}>
            <strong>{schoolName}</strong>
            <small>
              <Trans>
                For {guardian} · as of {at}
              </Trans>
            </small>
          </span>
          {schoolPhone && (
            <a className={styles.call} href={phone} aria-label={t`Call the school, ${schoolPhone}`}>
              <Trans>Call</Trans>
            </a>
          )}
          <LanguageSwitch onChosen={(chosen) => void sendLanguage(chosen)} />
        </div>
      </header>
      <main className={styles.main}>
        <h1>
          <VisuallyHidden>{title}</VisuallyHidden>
        </h1>
        {shown.map(({ key, Top, value }) => Top && <Top key={key} value={value} />)}
        {children.length > 1 && (
          <nav className={styles.children} aria-label={t`Children`}>
            {children.map(({ id, name, section }, place) => (
              <a key={id} href={`#child-${place + 1}`} aria-current={place === chosen ? 'true' : undefined}>
                <b>{name}</b>
                <small>{section}</small>
              </a>
            ))}
          </nav>
        )}
        {children.map((child, place) => (
          <div key={child.id} className={`${styles.child} ${place === chosen ? '' : styles.away}`}>
            <section className={styles.today} aria-label={t`Today`}>
              {ofToday.length === 0 && <p>{nameOf(child)}</p>}
              {ofToday.map(({ key, Lines, value }) => (
                <Lines key={key} value={value} child={child} today={today} />
              ))}
            </section>
            {shown.map(
              ({ key, OfChild, value }) =>
                OfChild && <OfChild key={key} value={value} childId={child.id} today={today} />,
            )}
          </div>
        ))}
        <MoreParts
          parts={[...shown.flatMap(({ key, More }) => (More && whole.length > 0 ? [{ key, ...More }] : [])), own]}
          given={{ children: whole, isProven: page.proof.isProven, today }}
        />
        {page.proof.isProven && <LaterBlock block={phones} given={{}} />}
      </main>
      <footer className={styles.foot}>
        <p>
          {page.until ? (
            <Trans>This page is yours alone; don’t pass the link on. It works until {until}.</Trans>
          ) : (
            <Trans>This page is yours alone.</Trans>
          )}
        </p>
        {unread.family.includes(language) && (
          <p>
            {schoolPhone ? (
              <Trans>
                This page was translated by computer. Anything unclear? Switch to English or call{' '}
                <a href={phone}>{schoolPhone}</a>.
              </Trans>
            ) : (
              <Trans>This page was translated by computer. Anything unclear? Switch to English.</Trans>
            )}
          </p>
        )}
        {schoolPhone && (
          <p>
            <a href={phone}>
              <Trans>Not your child? Tell the school</Trans>
            </a>
          </p>
        )}
      </footer>
    </>
  );
}
