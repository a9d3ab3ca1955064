import { Trans, useLingui } from '@lingui/react/macro';
import { IconExternalLink, IconRotateClockwise, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import styles from './FileViewer.module.css';
import { openPages } from './file-pages.ts';

interface Props {
  /** What the file is, such as "Birth Certificate". */
  title: string;
  address: string;
  /** What can be done with the file, below it. */
  acts?: ReactNode;
}

type Pages = Awaited<ReturnType<typeof openPages>>;

const zooms = [1, 1.5, 2, 3, 4];

/** Shows a picture or a PDF, which can be zoomed and turned. */
export function FileViewer({ title, address, acts }: Props) {
  const { t } = useLingui();
  const [zoom, setZoom] = useState(0);
  const [degrees, setDegrees] = useState(0);
  const [tries, setTries] = useState(0);
  const { pages, hasFailed } = usePages(address, tries);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file is shown upright and whole.
  useEffect(() => {
    setZoom(0);
    setDegrees(0);
  }, [address]);
  return (
    <section className={styles.viewer} aria-label={title}>
      <Row gap={4} align="center" wrap line="below" className={styles.tools}>
        <b>{title}</b>
        <IconButton label={t`Zoom out`} disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          <IconZoomOut size={20} aria-hidden />
        </IconButton>
        <IconButton label={t`Zoom in`} disabled={zoom === zooms.length - 1} onClick={() => setZoom(zoom + 1)}>
          <IconZoomIn size={20} aria-hidden />
        </IconButton>
        <IconButton label={t`Rotate`} onClick={() => setDegrees((degrees + 90) % 360)}>
          <IconRotateClockwise size={20} aria-hidden />
        </IconButton>
        <a href={address} target="_blank" rel="noreferrer" aria-label={t`${title}, opens in a new tab`}>
          <IconExternalLink size={20} aria-hidden />
        </a>
      </Row>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll a zoomed page. */}
      <section className={styles.pane} tabIndex={0} aria-label={t`Pages of ${title}`}>
        {pages?.map((draw, index) => (
          <Page
            // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other name.
            key={index}
            draw={draw}
            degrees={degrees}
            width={zooms[zoom] ?? 1}
            label={pages.length > 1 ? t`${title}, page ${index + 1}` : title}
          />
        ))}
        {!pages && !hasFailed && (
          <p className="soft" role="status">
            <Trans>Loading</Trans>
          </p>
        )}
        {hasFailed && (
          <p role="status">
            <Trans>This file could not be shown.</Trans>{' '}
            <Button kind="quiet" onClick={() => setTries(tries + 1)}>
              <Trans>Try again</Trans>
            </Button>
          </p>
        )}
      </section>
      {acts && <div className={styles.acts}>{acts}</div>}
    </section>
  );
}

function usePages(address: string, tries: number) {
  const [shown, setShown] = useState<{ of: string; pages?: Pages; hasFailed: boolean }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is asked for by counting it.
  useEffect(() => {
    const ending = new AbortController();
    setShown(undefined);
    openPages(address, ending.signal).then(
      (pages) => ending.signal.aborted || setShown({ of: address, pages, hasFailed: false }),
      () => ending.signal.aborted || setShown({ of: address, hasFailed: true }),
    );
    return () => ending.abort();
  }, [address, tries]);
  return shown?.of === address ? shown : { pages: undefined, hasFailed: false };
}

interface PageProps {
  draw: Pages[number];
  degrees: number;
  /** In widths of the pane. */
  width: number;
  label: string;
}

function Page({ draw, degrees, width, label }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    // A page that cannot be drawn stays white; the link beside it opens the file.
    if (canvas.current) void draw(canvas.current, degrees).catch(() => undefined);
  }, [draw, degrees]);
  return (
    <canvas ref={canvas} className={styles.page} style={{ width: `${width * 100}%` }} role="img" aria-label={label} />
  );
}
