import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Grid, Table } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import type { ImportStage } from '#kit/contract/import.ts';
import type { SkipReason } from '#kit/contract/import-limits.ts';
import styles from './FileImport.module.css';

interface Props {
  stage: ImportStage;
  /** The words of a file whose letters were guessed. */
  guessed: readonly string[];
  kept: readonly number[];
  onSheet: (sheet: string) => void;
  onHead: (line: number) => void;
  onKept: (kept: number[]) => void;
}

/** A row with its first cell only, which spreadsheets show across the empty cells beside it. */
const isTitle = ([first = '', ...others]: readonly string[]) => first !== '' && others.every((cell) => cell === '');

/** The sheet, its row of headings, and what is passed over. */
export function SheetStep({ stage, guessed, kept, onSheet, onHead, onKept }: Props) {
  const { t } = useLingui();
  const visible = stage.sheets.filter(({ isHidden }) => !isHidden);
  const hidden = stage.sheets.filter(({ isHidden }) => isHidden);
  const skipped = stage.skipped.filter(({ why }) => why !== 'title');
  const reasons: Record<SkipReason, string> = {
    title: t`above the headings`,
    total: t`a total`,
    heading: t`repeated headings`,
    single: t`one cell only`,
  };
  const width = Math.max(1, ...stage.first.map(({ cells }) => cells.length));
  return (
    <>
      {guessed.length > 0 && (
        <Notice>
          <Trans>
            The letters were read as Windows-1252, for example: {guessed.join(', ')}. If they are wrong, save the file
            as CSV UTF-8.
          </Trans>
        </Notice>
      )}
      {stage.sheets.length > 1 && (
        <Grid as="p" gap="8 16" align="center" mt={6} mb={6} className={styles.line}>
          <label htmlFor="import-sheet">
            <Trans>Sheet</Trans>
          </label>
          <select
            id="import-sheet"
            className="box"
            value={stage.sheet}
            onChange={({ currentTarget }) => onSheet(currentTarget.value)}
          >
            {[...visible, ...hidden].map(({ name, isHidden, rows }) => (
              <option key={name} value={name}>
                {isHidden
                  ? t`${name} (hidden, ${plural(rows, { one: '# row', other: '# rows' })})`
                  : t`${name} (${plural(rows, { one: '# row', other: '# rows' })})`}
              </option>
            ))}
          </select>
        </Grid>
      )}
      <p role="status">
        <Trans>
          Headings in line {stage.headLine}. <Plural value={stage.rows} one="# row" other="# rows" /> below it.
        </Trans>{' '}
        <span className="soft">
          <Trans>Choose another line if these are not the headings.</Trans>
        </span>
      </p>
      <ScrollFrame label={t`First rows of the file`}>
        <Table className={`${styles.grid} ${styles.sheet}`}>
          <tbody>
            {stage.first.map(({ line, cells }) => {
              const isHead = line === stage.headLine;
              return (
                <tr key={line} data-head={isHead || undefined}>
                  <th scope="row">
                    <button
                      type="button"
                      aria-pressed={isHead}
                      aria-label={t`Headings in line ${line}`}
                      onClick={() => isHead || onHead(line)}
                    >
                      {line}
                    </button>
                  </th>
                  {isTitle(cells) && width > 1 ? (
                    <td colSpan={width}>{cells[0]}</td>
                  ) : (
                    Array.from({ length: width }, (_, place) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
                      <td key={place}>{cells[place]}</td>
                    ))
                  )}
                </tr>
              );
            })}
          </tbody>
        </Table>
      </ScrollFrame>
      {(skipped.length > 0 || kept.length > 0) && (
        <>
          <h3 className={styles.part}>
            <Trans>Skipped</Trans>
          </h3>
          <ul className={styles.list}>
            {skipped.map(({ line, cells, why }) => (
              <li key={line}>
                <Trans>
                  Line {line}, {reasons[why]}: <span className="soft">{cells}</span>
                </Trans>{' '}
                <Button kind="link" aria-label={t`Import line ${line}`} onClick={() => onKept([...kept, line])}>
                  <Trans>Import it</Trans>
                </Button>
              </li>
            ))}
            {kept.map((line) => (
              <li key={line}>
                <Trans>Line {line} is imported.</Trans>{' '}
                <Button
                  kind="link"
                  aria-label={t`Skip line ${line}`}
                  onClick={() => onKept(kept.filter((one) => one !== line))}
                >
                  <Trans>Skip</Trans>
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
