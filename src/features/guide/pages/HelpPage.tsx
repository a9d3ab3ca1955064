import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment, useEffect, useState } from 'react';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import type { Block, GuidePage, Inline } from '../contract/page.ts';
import styles from './HelpPage.module.css';

/** The pages of docs/use as the build reads them (scripts/guide-pages.ts); each is loaded when it is opened. */
const pages = import.meta.glob<{ page: GuidePage }>('/docs/use/*.md');
const start = 'README';
const loadPage = (key: string) => pages[`/docs/use/${key}.md`];

/** /school-erp/help: the guide for people at a school, one page at a time. */
export function HelpPage() {
  const { t } = useLingui();
  const key = useListAddress().address.page || start;
  const [shown, setShown] = useState<{ key: string; page: GuidePage | undefined }>();
  const [failed, setFailed] = useState<{ error: unknown }>();
  useEffect(() => {
    let isWanted = true;
    const load = loadPage(key) ?? (async () => ({ page: undefined }));
    load().then(
      ({ page }) => isWanted && setShown({ key, page }),
      (error: unknown) => isWanted && setFailed({ error }),
    );
    return () => {
      isWanted = false;
    };
  }, [key]);
  // The page around it says what is wrong, and reloads after an upgrade.
  if (failed) throw failed.error;
  const isStart = key === start;
  return (
    <>
      <PageHead title={shown?.page?.title ?? t`Help`} />
      {!isStart && (
        <p>
          <PageLink to="/school-erp/help">
            <Trans>All pages of Help</Trans>
          </PageLink>
        </p>
      )}
      {shown && !shown.page && <EmptyState message={<Trans>Help has no such page.</Trans>} />}
      {shown?.page && (
        <article key={shown.key} className={styles.guide} lang="en">
          {shown.page.blocks.map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a page never change.
            <Shown key={index} block={block} />
          ))}
        </article>
      )}
    </>
  );
}

function Shown({ block }: { block: Block }) {
  if (block.kind === 'head') return <h2>{block.words}</h2>;
  if (block.kind === 'text')
    return (
      <p>
        <Line line={block.line} />
      </p>
    );
  if (block.kind === 'picture')
    return <img src={block.src} alt={block.words} loading="lazy" className={styles.picture} />;
  const items = block.items.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list never change.
    <li key={index}>
      <Line line={line} />
    </li>
  ));
  return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

const Line = ({ line }: { line: readonly Inline[] }) =>
  line.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change.
    <Fragment key={index}>
      <Part part={part} />
    </Fragment>
  ));

function Part({ part }: { part: Inline }) {
  if (typeof part === 'string') return part;
  if ('bold' in part) return <strong>{part.bold}</strong>;
  return (
    <PageLink to="/school-erp/help" search={part.page === start ? {} : { page: part.page }}>
      {part.words}
    </PageLink>
  );
}
