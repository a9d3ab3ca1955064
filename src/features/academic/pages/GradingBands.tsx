import { Trans, useLingui } from '@lingui/react/macro';
import { IconPlus, IconX } from '@tabler/icons-react';
import { Fragment, useId } from 'react';
import { flushSync } from 'react-dom';
import { focusOn } from '#kit/browser/form/ErrorSummary.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { fieldInfo } from '#kit/contract/fields.ts';
import { type Band, bandFields, mostBands, upperEnd } from '../contract/grading-scale.ts';
import styles from './GradingBands.module.css';

/** A band as it is typed. */
interface Typed {
  key: string;
  min: string;
  grade: string;
  points: string;
}
type Name = keyof typeof bandFields;

export const emptyBand = (): Typed => ({ key: crypto.randomUUID(), min: '', grade: '', points: '' });

/** Boxes hold text. */
export const typedBands = (bands: readonly Band[]): Typed[] =>
  bands.map(({ min, grade, points }) => ({ ...emptyBand(), min: String(min), grade, points: String(points ?? '') }));

const labelOf = (name: Name) => {
  const info = fieldInfo.get(bandFields[name]);
  return info ? translate(info.label) : name;
};
const numberOf = (min: string) => (/^[0-9]{1,3}$/.test(min.trim()) ? Number(min) : undefined);
const byLowerEnd = (typed: Typed, other: Typed) => (numberOf(other.min) ?? -1) - (numberOf(typed.min) ?? -1);

export function GradingBands() {
  const { t } = useLingui();
  const { values, change, errors } = useApiForm();
  const id = useId();
  const bands = values.bands as Typed[];
  const last = bands.length - 1;

  const set = (place: number, name: Name, value: string) => {
    const changed = bands.map((typed, index) => (index === place ? { ...typed, [name]: value } : typed));
    change('bands', changed, `bands.${place}.${name}`);
  };
  const add = () => {
    const [above, lowest] = [bands.slice(0, last).sort(byLowerEnd), bands.slice(last)];
    flushSync(() => change('bands', [...above, emptyBand(), ...lowest]));
    focusOn(`bands.${last}.min`);
  };
  const remove = (place: number) => {
    const left = bands.filter((_, index) => index !== place);
    const end = left.length - 1;
    // The last band always starts at 0.
    flushSync(() =>
      change(
        'bands',
        left.map((typed, index) => (index === end ? { ...typed, min: '0' } : typed)),
      ),
    );
    focusOn(`bands.${Math.min(place, end)}.grade`);
  };
  return (
    <fieldset className={`question ${styles.bands}`} aria-describedby={`${id}-hint`}>
      <legend>
        <Trans>Bands</Trans>
      </legend>
      <p className="hint" id={`${id}-hint`}>
        <Trans>
          Enter the percentage where each band starts. A band ends where the band above starts; the last band starts at
          0.
        </Trans>
      </p>
      <ErrorText id={`${id}-error`} error={errors.bands} />
      <table>
        <thead>
          <tr>
            <th scope="col">{t`From %`}</th>
            <th scope="col">{t`To %`}</th>
            <th scope="col">{labelOf('grade')}</th>
            <th scope="col">{labelOf('points')}</th>
            <td className={styles.acts} />
          </tr>
        </thead>
        <tbody>
          {bands.map((band, place) => (
            <BandRow
              key={band.key}
              band={band}
              place={place}
              bands={bands}
              id={id}
              onType={(name, value) => set(place, name, value)}
              onRemove={last > 0 ? () => remove(place) : undefined}
            />
          ))}
        </tbody>
      </table>
      {bands.length < mostBands && (
        <Button onClick={add}>
          <IconPlus size={16} aria-hidden /> <Trans>Add band</Trans>
        </Button>
      )}
    </fieldset>
  );
}

interface RowProps {
  id: string;
  band: Typed;
  place: number;
  bands: readonly Typed[];
  onType: (name: Name, value: string) => void;
  onRemove?: () => void;
}

function BandRow({ id, band, place, bands, onType, onRemove }: RowProps) {
  const { t } = useLingui();
  const { errors } = useApiForm();
  const min = numberOf(band.min);
  const ends = bands.flatMap((typed) => numberOf(typed.min) ?? []);
  const isLast = place === bands.length - 1;
  const number = place + 1;
  const bandName = band.grade.trim() || number;
  const wrong = (['min', 'grade', 'points'] as const).filter((name) => errors[`bands.${place}.${name}`]);
  const box = (name: Name, inputMode: 'numeric' | 'decimal' | 'text') => {
    const field = `bands.${place}.${name}`;
    const label = labelOf(name);
    return (
      <input
        className="box"
        name={field}
        aria-label={t`Band ${number}: ${label}`}
        autoComplete="off"
        inputMode={inputMode}
        value={band[name]}
        aria-invalid={Boolean(errors[field])}
        aria-describedby={errors[field] && `${id}-${field}`}
        onChange={(event) => onType(name, event.currentTarget.value)}
      />
    );
  };
  return (
    <Fragment>
      {wrong.length > 0 && (
        <tr className={styles.wrong}>
          <td colSpan={5}>
            {wrong.map((name) => (
              <ErrorText key={name} id={`${id}-bands.${place}.${name}`} error={errors[`bands.${place}.${name}`]} />
            ))}
          </td>
        </tr>
      )}
      <tr className={wrong.length > 0 ? styles.wrong : undefined} data-group={t`Band ${number}`}>
        <td>{isLast ? '0' : box('min', 'numeric')}</td>
        <td>{min === undefined || min > 100 ? '–' : upperEnd(min, ends)}</td>
        <td>{box('grade', 'text')}</td>
        <td>{box('points', 'decimal')}</td>
        <td className={styles.acts}>
          {onRemove && (
            <IconButton isSmall label={t`Remove band ${bandName}`} onClick={onRemove}>
              <IconX size={16} aria-hidden />
            </IconButton>
          )}
        </td>
      </tr>
    </Fragment>
  );
}
