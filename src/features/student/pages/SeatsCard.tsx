import { Plural, Trans } from '@lingui/react/macro';
import { type DragEvent, useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { SectionStrength } from '../contract/section-student.ts';
import { dragged } from './StudentTicks.tsx';

interface Props {
  section: SectionStrength;
  /** Whether students can be moved here. */
  isOpen: boolean;
  hasTicked: boolean;
  /** Moves the dropped students, or the selected ones. */
  onMove: (dragged?: number[]) => void;
}

/** A section with its strength: students are dropped here, or moved by its button. */
export function SeatsCard({ section: { name, program, capacity, strength, girls, boys }, isOpen, ...rest }: Props) {
  const { hasTicked, onMove } = rest;
  const [isOver, setOver] = useState(false);
  const isFull = strength >= capacity;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const ids = dragged(event.dataTransfer);
    if (ids.length > 0) onMove(ids);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const target = isOpen ? { onDragOver: over, onDragLeave: () => setOver(false), onDrop: drop } : {};
  return (
    <Row
      as="li"
      gap={12}
      align="center"
      justify="between"
      mb={8}
      className={isOver ? 'seat seat-over' : 'seat'}
      {...target}
    >
      <div>
        <strong>{name}</strong> <span className="soft">{program}</span>
        <div>
          <span className={isFull ? 'seat-full' : undefined}>
            {isFull ? (
              <Trans>
                {strength} of {capacity}, full
              </Trans>
            ) : (
              <Trans>
                {strength} of {capacity}
              </Trans>
            )}
          </span>{' '}
          <span className="soft">
            <Plural value={girls} one="# girl" other="# girls" />, <Plural value={boys} one="# boy" other="# boys" />
          </span>
        </div>
      </div>
      {isOpen && hasTicked && (
        <Button onClick={() => onMove()}>
          <Trans>
            Move here <VisuallyHidden>({name})</VisuallyHidden>
          </Trans>
        </Button>
      )}
    </Row>
  );
}
