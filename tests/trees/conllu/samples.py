"""CoNLL-U written for the tests: two documents, three paragraphs, multi-word tokens."""

from pathlib import Path

# Le chat du voisin dort. Il rêve. / Vois-le !  //  Fin
FRENCH = """\
# newdoc id = a
# sent_id = a-1
# text = Le chat du voisin dort.
1\tLe\tle\tDET\t_\tDefinite=Def|Gender=Masc\t2\tdet\t_\t_
2\tchat\tchat\tNOUN\t_\tGender=Masc\t6\tnsubj\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\tDefinite=Def|Gender=Masc\t5\tdet\t_\t_
5\tvoisin\tvoisin\tNOUN\t_\tGender=Masc\t2\tnmod\t_\t_
6\tdort\tdormir\tVERB\t_\tMood=Ind\t0\troot\t_\tSpaceAfter=No
7\t.\t.\tPUNCT\t_\t_\t6\tpunct\t_\t_

# sent_id = a-2
# text = Il rêve.
1\tIl\til\tPRON\t_\tPerson=3\t2\tnsubj\t_\t_
2\trêve\trêver\tVERB\t_\tMood=Ind\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# newpar
# sent_id = a-3
# text = Vois-le !
1-2\tVois-le\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\s\\s
1\tVois\tvoir\tVERB\t_\tMood=Imp|Person=2\t0\troot\t_\t_
2\t-le\tle\tPRON\t_\tGender=Masc|Person=3\t1\tobj\t_\t_
3\t!\t!\tPUNCT\t_\t_\t1\tpunct\t_\t_

# newdoc id = b
# sent_id = b-1
# text = Fin
1\tFin\tfin\tNOUN\t_\tGender=Fem\t0\troot\t_\t_

"""


def write_french(folder: Path) -> Path:
    """RETURNS (Path): The sample as a file."""
    path = folder / "fr.conllu"
    path.write_text(FRENCH, encoding="utf-8")
    return path
