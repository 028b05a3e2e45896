import type { Language } from '../../../../locales/languages.ts';
import { dateTime, number } from '../../lib/format.ts';
import { type Day, type Figure, noonOf, scaleOf } from './figures.ts';

export type DailyChartProps = {
  figure: Figure;
  title: string;
  days: readonly Day[];
  today: string;
  language: Language;
  /** Text alternative of the chart. */
  label: (most: Day) => string;
  mostLabel: (value: string) => string;
  /** Tooltip of a day. */
  dayLabel: (day: Day) => string;
};

const width = 10;
const height = 100;

/**
 * Bar chart of one figure on its own scale, since views would dwarf contacts. Colour carries no
 * meaning; today has a dashed outline. Text is HTML, so that it does not stretch.
 */
export function DailyChart({
  figure,
  title,
  days,
  today,
  language,
  label,
  mostLabel,
  dayLabel,
}: DailyChartProps) {
  const most = days.reduce(
    (best, day) => (day[figure] > best[figure] ? day : best),
    days[0] ?? ({ day: today, [figure]: 0 } as Day),
  );
  const scale = scaleOf(most[figure]);
  const gap = days.length > 31 ? 1.6 : 2.2;
  const ends = [days[0], days[(days.length - 1) >> 1], days[days.length - 1]];
  return (
    <figure className="daily">
      <figcaption className="row row--apart">
        <h3>{title}</h3>
        <span className="soft small">{mostLabel(number(most[figure], language))}</span>
      </figcaption>
      <div className="daily__plot">
        <span className="daily__scale" aria-hidden="true">
          {number(scale, language)}
        </span>
        <svg
          viewBox={`0 0 ${days.length * width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label(most)}
        >
          <line className="daily__grid" x1="0" x2={days.length * width} y1="0.5" y2="0.5" />
          <line
            className="daily__grid"
            x1="0"
            x2={days.length * width}
            y1={height / 2}
            y2={height / 2}
          />
          {days.map((day, index) => {
            const tall = (day[figure] / scale) * height;
            return (
              <g key={day.day}>
                <title>{dayLabel(day)}</title>
                <rect
                  className="daily__reach"
                  x={index * width}
                  y="0"
                  width={width}
                  height={height}
                />
                {tall > 0 && (
                  <rect
                    className={day.day === today ? 'daily__bar daily__bar--today' : 'daily__bar'}
                    x={index * width + gap / 2}
                    y={height - tall}
                    width={width - gap}
                    height={tall}
                  />
                )}
              </g>
            );
          })}
          <line className="daily__base" x1="0" x2={days.length * width} y1={height} y2={height} />
        </svg>
        {days.length === 7 ? (
          <div className="daily__days daily__days--week" aria-hidden="true">
            {days.map(({ day }) => (
              <span key={day}>{dateTime(noonOf(day), language, 'weekday')}</span>
            ))}
          </div>
        ) : (
          <div className="daily__days" aria-hidden="true">
            {ends.map(
              (end) =>
                end && <span key={end.day}>{dateTime(noonOf(end.day), language, 'day')}</span>,
            )}
          </div>
        )}
      </div>
    </figure>
  );
}
