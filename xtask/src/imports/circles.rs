//! Files that need each other in a circle.

/// The circles of a graph: each a list of two or more members, in order; `needs[a]` holds what `a` needs.
pub fn circles(needs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search {
        needs,
        next: 0,
        number: vec![None; needs.len()],
        lowest: vec![0; needs.len()],
        open: Vec::new(),
        is_open: vec![false; needs.len()],
        found: Vec::new(),
    };
    for member in 0..needs.len() {
        if search.number[member].is_none() {
            search.visit(member);
        }
    }
    let mut found = search.found;
    found.sort();
    found
}

/// Tarjan's search for strongly connected components.
struct Search<'a> {
    needs: &'a [Vec<usize>],
    next: usize,
    number: Vec<Option<usize>>,
    lowest: Vec<usize>,
    open: Vec<usize>,
    is_open: Vec<bool>,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn visit(&mut self, member: usize) {
        self.number[member] = Some(self.next);
        self.lowest[member] = self.next;
        self.next += 1;
        self.open.push(member);
        self.is_open[member] = true;
        for &needed in &self.needs[member] {
            match self.number[needed] {
                None => {
                    self.visit(needed);
                    self.lowest[member] = self.lowest[member].min(self.lowest[needed]);
                }
                Some(number) if self.is_open[needed] => {
                    self.lowest[member] = self.lowest[member].min(number);
                }
                Some(_) => {}
            }
        }
        if self.number[member] == Some(self.lowest[member]) {
            let begin = self.open.iter().rposition(|one| *one == member).unwrap_or(0);
            let mut circle = self.open.split_off(begin);
            for one in &circle {
                self.is_open[*one] = false;
            }
            if circle.len() > 1 {
                circle.sort_unstable();
                self.found.push(circle);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::circles;

    #[test]
    fn circles_are_found_and_nothing_else() {
        assert!(circles(&[vec![1, 2], vec![2], vec![]]).is_empty());
        assert_eq!(
            circles(&[vec![1], vec![2], vec![0], vec![0], vec![5], vec![4]]),
            [vec![0, 1, 2], vec![4, 5]]
        );
    }
}
