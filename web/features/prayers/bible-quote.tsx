/** The word that stands over the whole list. */
export function BibleQuote() {
  return (
    <figure className="border-l-2 border-gold-line pl-4 font-serif text-gold sm:pl-5">
      <blockquote className="text-xl italic">
        <p>“Brethren, pray for us.”</p>
      </blockquote>
      <figcaption className="mt-1 text-sm tracking-wide">1 Thessalonians 5:25</figcaption>
    </figure>
  )
}
